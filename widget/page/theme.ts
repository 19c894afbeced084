// The host's wishes for how the page looks. Whatever colour is wished for, text stays legible: a colour is made
// darker on the light ground, or lighter on the dark one, until it has a contrast of 4.5 with it. Set by script,
// which the page's policy allows, and only from values of a known form, so that nothing else gets into a style.
import type { ConnectTheme } from '../embedding.ts';

type Colour = readonly [red: number, green: number, blue: number];

const white: Colour = [255, 255, 255];
const ink: Colour = [11, 15, 20];
/** As in tokens.css; on the softer of the two grounds, text has the less contrast. */
const grounds = { light: [255, 255, 255], dark: [23, 27, 33] } as const;
const softGrounds = { light: [245, 247, 249], dark: [32, 38, 46] } as const;
const contrastLeast = 4.5;
const mixStep = 0.04;

const parse = (text: string): Colour => {
  const [red = 0, green = 0, blue = 0] = text.match(/[\da-f]{2}/gi)!.map((two) => Number.parseInt(two, 16));
  return [red, green, blue];
};
const print = (colour: Colour): string => `rgb(${colour.map(Math.round).join(' ')})`;

/** One colour with a share of another in it. */
const mix = ([red, green, blue]: Colour, [red2, green2, blue2]: Colour, share: number): Colour => [
  red + (red2 - red) * share,
  green + (green2 - green) * share,
  blue + (blue2 - blue) * share,
];

/** Relative luminance and contrast as WCAG 2 defines them. */
const luminance = (colour: Colour): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Colour, other: Colour): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The colour itself, or the nearest to it towards `end` that is legible on the ground. */
const legible = (colour: Colour, ground: Colour, end: Colour): Colour => {
  for (let share = 0; share < 1; share += mixStep) {
    const mixed = mix(colour, end, share);
    if (contrast(mixed, ground) >= contrastLeast) return mixed;
  }
  return end;
};

const shades = (wanted: Colour, scheme: 'light' | 'dark') => {
  const end = scheme === 'light' ? ink : white;
  const accent = legible(wanted, softGrounds[scheme], end);
  const soft = mix(grounds[scheme], accent, 0.1);
  const onAccent = contrast(accent, white) >= contrast(accent, ink) ? white : ink;
  return {
    '--accent': legible(accent, soft, end),
    '--accent-strong': legible(mix(accent, end, 0.15), onAccent, onAccent === white ? ink : white),
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
    const [light, dark] = [shades(parse(accentColor), 'light'), shades(parse(accentColor), 'dark')];
    for (const [name, value] of Object.entries(light)) {
      const other = dark[name as keyof typeof dark];
      style.setProperty(name, `light-dark(${print(value)}, ${print(other)})`);
    }
  }
  if (typeof radius === 'number' && radius >= 0 && radius <= 24) {
    style.setProperty('--radius', `${radius}px`);
    style.setProperty('--radius-card', `${radius * 1.6}px`);
  }
};
