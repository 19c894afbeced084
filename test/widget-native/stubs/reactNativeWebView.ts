// A stub of react-native-webview that opens a page of the test's device.
import { Component, createElement } from 'react';
import type { WebViewProps } from 'react-native-webview';
import { type BrowserView, device } from './device.ts';

export class WebView extends Component<WebViewProps> {
  #view: BrowserView | undefined;
  #mounted = false;

  override componentDidMount(): void {
    this.#mounted = true;
    this.#view ??= device().openView(() => this.props);
  }

  /** Strict mode unmounts and remounts immediately; the view stays open. */
  override componentWillUnmount(): void {
    this.#mounted = false;
    setImmediate(() => {
      if (!this.#mounted) this.#view?.close();
    });
  }

  injectJavaScript = (script: string): void => this.#view?.run(script);

  override render() {
    return createElement('WebView', this.props as Record<string, unknown>);
  }
}
