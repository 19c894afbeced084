// Applies the host's theme. An accent color with too little contrast is darkened (light scheme) or lightened (dark scheme) until
// its contrast with the background is 4.5. Values are validated, so that hosts cannot inject styles.
import type { ConnectTheme } from '../types.ts';

type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const nearBlack: Color = [11, 15, 20];
/** Copied from tokens.css. Text has less contrast on the soft background, which is therefore decisive. */
const backgrounds = { light: [255, 255, 255], dark: [23, 27, 33] } as const;
const softBackgrounds = { light: [245, 247, 249], dark: [32, 38, 46] } as const;
const minContrast = 4.5;
const mixStep = 0.04;

const parseColor = (text: string): Color => {
  const [red = 0, green = 0, blue = 0] = text.match(/[\da-f]{2}/gi)!.map((hex) => Number.parseInt(hex, 16));
  return [red, green, blue];
};
const toCssColor = (color: Color): string => `rgb(${color.map(Math.round).join(' ')})`;

/** Interpolates linearly between two colors: a `share` of 0 is the first, 1 the second. */
const mix = ([red, green, blue]: Color, [red2, green2, blue2]: Color, share: number): Color => [
  red + (red2 - red) * share,
  green + (green2 - green) * share,
  blue + (blue2 - blue) * share,
];

/** Relative luminance and contrast ratio as defined by WCAG 2. */
const luminance = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Color, other: Color): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** Mixes the color with as little of `end` as gives enough contrast with the background. */
const ensureContrast = (color: Color, background: Color, end: Color): Color => {
  for (let share = 0; share < 1; share += mixStep) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return end;
};

/** Black or white, whichever has more contrast with the color `#rrggbb`: at least 4.5. */
export const textColorOn = (color: string): 'black' | 'white' =>
  luminance(parseColor(color)) > 0.179 ? 'black' : 'white';

const accentColors = (accentColor: Color, scheme: 'light' | 'dark') => {
  const end = scheme === 'light' ? nearBlack : white;
  const accent = ensureContrast(accentColor, softBackgrounds[scheme], end);
  const soft = mix(backgrounds[scheme], accent, 0.1);
  const onAccent = contrast(accent, white) >= contrast(accent, nearBlack) ? white : nearBlack;
  return {
    '--accent': ensureContrast(accent, soft, end),
    '--accent-strong': ensureContrast(
      mix(accent, end, 0.15),
      onAccent,
      onAccent === white ? nearBlack : white,
    ),
    '--on-accent': onAccent,
    '--accent-soft': soft,
  };
};

let applied: string | undefined;

/** Applies a theme and removes the previous one. The default accent is the application's color. */
export const applyTheme = (theme: ConnectTheme | undefined, applicationColor?: string): void => {
  const { mode, accentColor = applicationColor, radius } = theme ?? {};
  const applying = JSON.stringify([mode, accentColor, radius]);
  if (applying === applied) return;
  applied = applying;
  const { style } = document.documentElement;
  style.cssText = '';
  if (mode === 'light' || mode === 'dark') style.colorScheme = mode;
  if (typeof accentColor === 'string' && /^#[\da-f]{6}$/i.test(accentColor)) {
    const [light, dark] = [
      accentColors(parseColor(accentColor), 'light'),
      accentColors(parseColor(accentColor), 'dark'),
    ];
    for (const [name, value] of Object.entries(light)) {
      const other = dark[name as keyof typeof dark];
      style.setProperty(name, `light-dark(${toCssColor(value)}, ${toCssColor(other)})`);
    }
  }
  if (typeof radius === 'number' && radius >= 0 && radius <= 24) {
    style.setProperty('--radius', `${radius}px`);
    style.setProperty('--radius-card', `${radius * 1.6}px`);
  }
};
