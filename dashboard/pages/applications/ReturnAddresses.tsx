// Edits the URLs of native applications to which users return from banks' own pages.
import type { Application } from '../../api/applications.ts';
import { UrlList } from './UrlList.tsx';

const parse = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))];

const validate = (text: string): string | null => {
  const invalid = parse(text).find((url) => !/^[a-z][a-z\d+.-]*:\/\/[^?#]+$/.test(url));
  return invalid
    ? `“${invalid}” is not a return URL. Write it as shop://bank-return, without a query.`
    : null;
};

export const ReturnAddresses = ({ application }: { application: Application }) => (
  <UrlList
    application={application}
    urls={application.returnAddresses}
    title="Return URLs"
    description="Where users return to your native application after signing in on a bank’s website: a universal link, an app link or a URL with a custom scheme."
    empty="None yet: users of a native application enter a code when they return from a bank’s website."
    label="Return URLs, one per line"
    placeholder="https://shop.example/bank-return"
    parse={parse}
    validate={validate}
    toUpdate={(returnAddresses) => ({ returnAddresses })}
  />
);
