// Shows the first screen in the dashboard, next to the settings that change its appearance. It is inert.
import { render } from 'preact';
import { protocolVersion } from '../protocol.ts';
import { Card } from './components/Card.tsx';
import { Consent } from './screens/Consent.tsx';
import type { ViewOf } from './screens/screenProps.ts';
import { applyTheme } from './theme.ts';

const ignore = () => undefined;

const Preview = ({ view }: { view: ViewOf<'consent'> }) => (
  <div class="backdrop">
    <Card isSandbox={view.application.environment === 'sandbox'} onClose={ignore}>
      <Consent view={view} submitting={false} submitStep={ignore} />
    </Card>
  </div>
);

/** Shows each view sent by the enclosing page, if it has the same origin. */
export const startPreview = (root: HTMLElement): void => {
  root.inert = true;
  addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    const isOurs =
      source === parent && origin === location.origin && data?.serviceConnect === protocolVersion;
    if (!isOurs || data.kind !== 'preview') return;
    applyTheme(undefined, data.view.application.color);
    render(<Preview view={data.view} />, root);
  });
  parent.postMessage({ serviceConnect: protocolVersion, kind: 'previewReady' }, location.origin);
};
