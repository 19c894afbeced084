// The image for user `captcha`: 7G4K as strokes over noise. It has no text, so that it is readable only by eye, and no style
// element, so that it works under a strict Content-Security-Policy.

// Each character on a grid of 20 by 30, slightly rotated.
const strokes: [path: string, move: string][] = [
  ['M1 2H18L7 29', 'translate(18 16) rotate(-7)'],
  ['M18 7Q15 1 9 1Q1 1 1 15Q1 29 9 29Q18 29 18 19V16H10', 'translate(54 12) rotate(5)'],
  ['M14 29V1L1 20H19', 'translate(92 15) rotate(-4)'],
  ['M2 1V29M18 1L3 17M8 13L18 29', 'translate(128 12) rotate(8)'],
];

const noise = 'M4 44C40 8 70 58 100 26S150 20 164 40M6 16C50 36 90 4 160 22';

const svgText = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="170" height="60" viewBox="0 0 170 60">',
  '<rect width="170" height="60" fill="#f2f4f7"/>',
  `<path d="${noise}" fill="none" stroke="#9aa5b5" stroke-width="1.5"/>`,
  '<g fill="none" stroke="#1d2a3f" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">',
  ...strokes.map(([path, move]) => `<path d="${path}" transform="${move}"/>`),
  '</g></svg>',
].join('');

export const captchaText = '7G4K';

export const captchaImage = `data:image/svg+xml;base64,${Buffer.from(svgText).toString('base64')}`;
