/** @jsxImportSource react */
// Renders the widget while it is open: the service's page in a full-screen web view. The page itself keeps its content out of the
// safe area insets.
import type { ComponentProps, Ref } from 'react';
import { ActivityIndicator, Modal, Pressable, Text, View } from 'react-native';
import { WebView, type WebViewProps } from 'react-native-webview';
import type { NativeWidget, NativeWidgetState } from './nativeWidget.ts';

/** The props that `useServiceConnect` returns as `view`. */
export type ServiceConnectProps = Pick<NativeWidgetState, 'opened' | 'loaded'> & {
  webView: Ref<WebView>;
  widget: NativeWidget;
  /** The accessible name of the close button shown while the page is loading. */
  closeLabel?: string;
};

const orientations: ComponentProps<typeof Modal>['supportedOrientations'] = [
  'portrait',
  'portrait-upside-down',
  'landscape-left',
  'landscape-right',
];

const fillParent = { position: 'absolute', top: 0, bottom: 0, left: 0, right: 0 } as const;
const backdropStyle = { flex: 1, backgroundColor: 'rgba(12, 18, 28, 0.55)' } as const;
const webViewStyle = { flex: 1, backgroundColor: 'transparent' } as const;
const loadingStyle = { ...fillParent, alignItems: 'center', justifyContent: 'center' } as const;
/** Keeps the button below a notch. */
const closeButtonStyle = { position: 'absolute', top: 64, right: 16, padding: 12 } as const;
const closeIconStyle = { fontSize: 24, color: 'white' } as const;

// Users type bank credentials into this web view. It stores nothing, shares nothing with other web views, opens no windows and
// cannot be debugged.
const isolationProps: Partial<WebViewProps> = {
  incognito: true,
  sharedCookiesEnabled: false,
  thirdPartyCookiesEnabled: false,
  domStorageEnabled: false,
  geolocationEnabled: false,
  allowFileAccess: false,
  allowsLinkPreview: false,
  setSupportMultipleWindows: false,
  javaScriptCanOpenWindowsAutomatically: false,
  mixedContentMode: 'never',
  dataDetectorTypes: 'none',
  webviewDebuggingEnabled: false,
  // The web view opens URLs outside this list in the device's browser. The list allows all URLs, so that
  // onShouldStartLoadWithRequest decides, which rejects all except the service's.
  originWhitelist: ['*'],
};

// The page fills the web view and scrolls its own content.
const layoutProps: Partial<WebViewProps> = {
  contentInsetAdjustmentBehavior: 'never',
  keyboardDisplayRequiresUserAction: false,
  overScrollMode: 'never',
  bounces: false,
};

/** Renders nothing while the widget is closed. */
export const ServiceConnect = ({
  opened,
  loaded,
  webView,
  widget,
  closeLabel = 'Close',
}: ServiceConnectProps) => {
  if (!opened) return null;
  return (
    <Modal
      visible
      transparent
      animationType="fade"
      supportedOrientations={orientations}
      onRequestClose={widget.back}
    >
      <View style={backdropStyle}>
        <WebView
          {...isolationProps}
          {...layoutProps}
          key={opened.openId}
          ref={webView}
          style={webViewStyle}
          source={{ uri: opened.pageUrl }}
          onShouldStartLoadWithRequest={widget.shouldStartLoad}
          onLoadStart={({ nativeEvent }) => widget.handleLoadStart(nativeEvent)}
          onLoadEnd={({ nativeEvent }) => widget.handleLoadEnd(nativeEvent)}
          onMessage={({ nativeEvent }) => widget.handleMessage(nativeEvent)}
          onError={widget.handleLoadError}
          onHttpError={({ nativeEvent }) => nativeEvent.url === opened.pageUrl && widget.handleLoadError()}
          onContentProcessDidTerminate={widget.close}
          onRenderProcessGone={widget.close}
        />
        {!loaded && (
          <View style={loadingStyle}>
            <ActivityIndicator size="large" color="white" />
            <Pressable
              style={closeButtonStyle}
              accessibilityRole="button"
              accessibilityLabel={closeLabel}
              hitSlop={12}
              onPress={widget.close}
            >
              <Text style={closeIconStyle}>✕</Text>
            </Pressable>
          </View>
        )}
      </View>
    </Modal>
  );
};
