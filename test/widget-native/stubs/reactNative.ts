// A stub of React Native: component names for the test renderer, and the addresses that the test's device opens and receives.
import { device, type UrlListener } from './device.ts';

export const Modal = 'Modal';
export const View = 'View';
export const Text = 'Text';
export const Pressable = 'Pressable';
export const ActivityIndicator = 'ActivityIndicator';

export const Linking = {
  openURL: (url: string): Promise<void> => device().openUrl(url),
  addEventListener: (_type: 'url', listener: UrlListener) => {
    const { urlListeners } = device();
    urlListeners.add(listener);
    return { remove: () => void urlListeners.delete(listener) };
  },
};
