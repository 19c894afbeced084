// The stub of React Native: component names for the test renderer.
export const Modal = 'Modal';
export const View = 'View';
export const Text = 'Text';
export const Pressable = 'Pressable';
export const ActivityIndicator = 'ActivityIndicator';
