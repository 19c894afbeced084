/** @jsxImportSource react */
// The widget's screen: the service's page in a web view over everything else, from the first to the last moment of
// one opening. The page itself keeps clear of notches and bars; this view gives it the whole screen.
import type { ComponentProps, Ref } from 'react';
import { ActivityIndicator, Modal, Pressable, Text, View } from 'react-native';
import { WebView, type WebViewProps } from 'react-native-webview';
import type { NativeWidget, NativeWidgetState } from './nativeWidget.ts';

/** What `useServiceConnect` returns as `view`. */
export type ServiceConnectProps = Pick<NativeWidgetState, 'opened' | 'loaded'> & {
  webView: Ref<WebView>;
  widget: NativeWidget;
  /** The name of the button that leaves while the page is still loading, for those who hear it. */
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
/** Below any notch, above anything else. */
const closeButtonStyle = { position: 'absolute', top: 64, right: 16, padding: 12 } as const;
const closeIconStyle = { fontSize: 24, color: 'white' } as const;

// A login of a bank is typed in here: nothing is kept on the device, nothing is shared with other views, no other
// window is opened, and nobody looks inside.
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
  // The web view hands an address that is not on this list to the device's browser. So everything is on it, and
  // onShouldStartLoadWithRequest, which is asked next, refuses all but the service.
  originWhitelist: ['*'],
};

// The page lays itself out to the edges and scrolls within itself.
const layoutProps: Partial<WebViewProps> = {
  contentInsetAdjustmentBehavior: 'never',
  keyboardDisplayRequiresUserAction: false,
  overScrollMode: 'never',
  bounces: false,
};

/** Shows the widget while it is open, and nothing at all while it is not. */
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
          key={opened.run}
          ref={webView}
          style={webViewStyle}
          source={{ uri: opened.page }}
          onShouldStartLoadWithRequest={widget.shouldStartLoad}
          onLoadStart={({ nativeEvent }) => widget.handleLoadStart(nativeEvent)}
          onLoadEnd={({ nativeEvent }) => widget.handleLoadEnd(nativeEvent)}
          onMessage={({ nativeEvent }) => widget.handleMessage(nativeEvent)}
          onError={widget.handleLoadError}
          onHttpError={({ nativeEvent }) => nativeEvent.url === opened.page && widget.handleLoadError()}
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
