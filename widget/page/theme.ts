// The host's wishes for how the page looks. Whatever colour is wished for, text stays legible: a colour is made
// darker on the light ground, or lighter on the dark one, until it has a contrast of 4.5 with it. Set by script,
// which the page's policy allows, and only from values of a known form, so that nothing else gets into a style.
import type { ConnectTheme } from '../types.ts';

type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const nearBlack: Color = [11, 15, 20];
/** As in tokens.css; on the softer of the two grounds, text has the less contrast. */
const backgrounds = { light: [255, 255, 255], dark: [23, 27, 33] } as const;
const softBackgrounds = { light: [245, 247, 249], dark: [32, 38, 46] } as const;
const minContrast = 4.5;
const mixStep = 0.04;

const parseColor = (text: string): Color => {
  const [red = 0, green = 0, blue = 0] = text.match(/[\da-f]{2}/gi)!.map((two) => Number.parseInt(two, 16));
  return [red, green, blue];
};
const toCssColor = (colour: Color): string => `rgb(${colour.map(Math.round).join(' ')})`;

/** One colour with a share of another in it. */
const mix = ([red, green, blue]: Color, [red2, green2, blue2]: Color, share: number): Color => [
  red + (red2 - red) * share,
  green + (green2 - green) * share,
  blue + (blue2 - blue) * share,
];

/** Relative luminance and contrast as WCAG 2 defines them. */
const luminance = (colour: Color): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Color, other: Color): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The colour itself, or the nearest to it towards `end` that is legible on the ground. */
const ensureContrast = (colour: Color, ground: Color, end: Color): Color => {
  for (let share = 0; share < 1; share += mixStep) {
    const mixed = mix(colour, end, share);
    if (contrast(mixed, ground) >= minContrast) return mixed;
  }
  return end;
};

const accentColors = (wanted: Color, scheme: 'light' | 'dark') => {
  const end = scheme === 'light' ? nearBlack : white;
  const accent = ensureContrast(wanted, softBackgrounds[scheme], end);
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

/** Sets what is wished for, and takes away what was wished for before. */
export const applyTheme = (theme: ConnectTheme | undefined): void => {
  const { mode, accentColor, radius } = theme ?? {};
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
