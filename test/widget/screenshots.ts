// The windows in which docs/screenshots/widget shows the widget.

/** The window of each variant. */
export const viewportFor = {
  light: { scheme: 'light', width: 488 },
  dark: { scheme: 'dark', width: 488 },
  phone: { scheme: 'light', width: 320 },
} as const;

const heightPx = { 488: 744, 320: 568 };

export const heightFor = (width: number): number => heightPx[width as 488] ?? 800;
