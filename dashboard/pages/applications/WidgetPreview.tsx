// Shows the widget's first screen as users see it, by framing the widget's own page.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Application, consentTextQuery } from '../../api/applications.ts';

/** The version of the messages between the widget's page and its hosts. */
const protocolVersion = 1;

/** Inert, and not reachable by keyboard. */
export const WidgetPreview = ({ application }: { application: Application }) => {
  const { id, name, logo, color, environment } = application;
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const { data: consent } = useQuery(consentTextQuery(id, name));

  useEffect(() => {
    const handle = ({ source, origin, data }: MessageEvent) => {
      const isPreview = source === frame.current?.contentWindow && origin === location.origin;
      if (isPreview && data?.kind === 'previewReady') setReady(true);
    };
    addEventListener('message', handle);
    return () => removeEventListener('message', handle);
  }, []);
  useEffect(() => {
    if (!isReady || !consent) return;
    const view = {
      ...{ version: 1, state: 'consent', reconnect: false, consent: { ...consent, hash: '' } },
      application: { name, environment, ...(logo && { logo }), ...(color && { color }) },
    };
    const message = { serviceConnect: protocolVersion, kind: 'preview', view };
    frame.current?.contentWindow?.postMessage(message, location.origin);
  }, [isReady, consent, name, logo, color, environment]);

  return (
    <div className="widget-preview">
      <iframe ref={frame} src="/connect/preview" title="Preview of the widget" tabIndex={-1} />
    </div>
  );
};
