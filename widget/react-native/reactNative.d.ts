// Declares the parts of React Native and react-native-webview that the package uses, so that it can be built without them. The
// declarations are not published; applications use the real types.

declare module 'react-native' {
  import type { ComponentType, ReactNode } from 'react';

  type Style = Record<string, unknown>;
  export type ViewProps = { style?: Style | Style[]; children?: ReactNode };
  export const View: ComponentType<ViewProps>;
  export const Text: ComponentType<ViewProps>;
  export const ActivityIndicator: ComponentType<{ size?: 'small' | 'large'; color?: string }>;
  export const Pressable: ComponentType<
    ViewProps & {
      onPress?: () => void;
      accessibilityRole?: 'button';
      accessibilityLabel?: string;
      hitSlop?: number;
    }
  >;
  export const Linking: {
    openURL(url: string): Promise<unknown>;
    addEventListener(type: 'url', listener: (event: { url: string }) => void): { remove(): void };
  };
  type Orientation = 'portrait' | 'portrait-upside-down' | 'landscape' | 'landscape-left' | 'landscape-right';
  export const Modal: ComponentType<{
    visible?: boolean;
    transparent?: boolean;
    animationType?: 'none' | 'slide' | 'fade';
    supportedOrientations?: Orientation[];
    onRequestClose?: () => void;
    children?: ReactNode;
  }>;
}

declare module 'react-native-webview' {
  import { Component } from 'react';

  type Event<Native> = { nativeEvent: Native };
  type WebViewEvent = { url: string };
  export type WebViewProps = {
    source: { uri: string };
    style?: Record<string, unknown>;
    originWhitelist?: string[];
    onShouldStartLoadWithRequest?: (request: WebViewEvent) => boolean;
    onLoadStart?: (event: Event<WebViewEvent>) => void;
    onLoadEnd?: (event: Event<WebViewEvent>) => void;
    onMessage?: (event: Event<WebViewEvent & { data: string }>) => void;
    onError?: () => void;
    onHttpError?: (event: Event<WebViewEvent>) => void;
    onContentProcessDidTerminate?: () => void;
    onRenderProcessGone?: () => void;
    incognito?: boolean;
    sharedCookiesEnabled?: boolean;
    thirdPartyCookiesEnabled?: boolean;
    domStorageEnabled?: boolean;
    geolocationEnabled?: boolean;
    allowFileAccess?: boolean;
    allowsLinkPreview?: boolean;
    setSupportMultipleWindows?: boolean;
    javaScriptCanOpenWindowsAutomatically?: boolean;
    mixedContentMode?: 'never' | 'always' | 'compatibility';
    dataDetectorTypes?: 'none';
    contentInsetAdjustmentBehavior?: 'never' | 'automatic' | 'scrollableAxes' | 'always';
    keyboardDisplayRequiresUserAction?: boolean;
    overScrollMode?: 'always' | 'content' | 'never';
    bounces?: boolean;
    webviewDebuggingEnabled?: boolean;
  };
  export class WebView extends Component<WebViewProps> {
    injectJavaScript: (script: string) => void;
  }
}
