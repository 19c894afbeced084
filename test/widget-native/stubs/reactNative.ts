// React Native's parts, as names in a tree: enough to see what a component shows and to press it.
export const Modal = 'Modal';
export const View = 'View';
export const Text = 'Text';
export const Pressable = 'Pressable';
export const ActivityIndicator = 'ActivityIndicator';
