// The same application on a server, where there is neither a window nor a document.
import { renderToString } from 'react-dom/server';
import { type AppProps, serverTree } from './app.ts';

export const render = (shown: AppProps): string => renderToString(serverTree(shown));
