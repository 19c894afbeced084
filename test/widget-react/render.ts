// Renders the application on a server, without a window or document.
import { renderToString } from 'react-dom/server';
import { type AppProps, serverTree } from './app.ts';

export const render = (props: AppProps): string => renderToString(serverTree(props));
