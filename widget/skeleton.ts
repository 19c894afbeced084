// The shape of the first screen. The loader shows it until the page is loaded, and the page shows it while it waits.

/** In pixels: distance from the card's start and top, width, height. */
export type Bone = readonly [start: number, top: number, width: number, height: number];

/** `form` is the sign-in form, the first screen of a reconnect. */
export type SkeletonShape = 'consent' | 'form';

const heading: readonly Bone[] = [
  [24, 64, 48, 48],
  [24, 134, 250, 22],
];
const point = (top: number): Bone[] => [
  [24, top, 20, 20],
  [58, top + 2, 150, 14],
  [58, top + 25, 280, 12],
];
const field = (top: number): Bone[] => [
  [24, top, 90, 14],
  [24, top + 24, 360, 48],
];

/** At the bottom of each shape is a button, 24 pixels from the edges and 48 high. */
export const bonesOf = (shape: SkeletonShape): readonly Bone[] =>
  shape === 'form'
    ? [...heading, ...field(210), ...field(300)]
    : [...heading, [124, 64, 48, 48], ...[180, 252, 324, 396].flatMap(point)];
