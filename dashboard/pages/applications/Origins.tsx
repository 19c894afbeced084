// Edits the web origins that may open the widget for this application.
import type { Application } from '../../api/applications.ts';
import { parseOrigins, validateOrigins } from './origins.ts';
import { UrlList } from './UrlList.tsx';

export const Origins = ({ application }: { application: Application }) => (
  <UrlList
    application={application}
    urls={application.origins}
    title="Allowed origins"
    description="Only web pages at these addresses can open the widget for this application."
    empty="None yet: no web page can open the widget. Add the address of your page."
    label="Origins, one per line"
    placeholder="https://shop.example"
    parse={parseOrigins}
    validate={validateOrigins}
    toUpdate={(origins) => ({ origins })}
  />
);
