// What we use of React Native and its web view, and no more, so that neither need be installed to build the package.
// An application's own types stand in their place: these are no part of what is published.

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
  type Place = { url: string };
  export type WebViewProps = {
    source: { uri: string };
    style?: Record<string, unknown>;
    originWhitelist?: string[];
    onShouldStartLoadWithRequest?: (request: Place) => boolean;
    onLoadStart?: (event: Event<Place>) => void;
    onLoadEnd?: (event: Event<Place>) => void;
    onMessage?: (event: Event<Place & { data: string }>) => void;
    onError?: () => void;
    onHttpError?: (event: Event<Place>) => void;
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
