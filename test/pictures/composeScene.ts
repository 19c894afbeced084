// Draws the surroundings of a screen: the phone, and next to it the steps or the request with its response.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Answer = { path: string; body: string };

export type Scene = {
  /** A description of this screen. */
  step: string;
  /** The phone's screen as PNG in base64. */
  phone: string;
  /** The backend's request and the API's response, once there is one. */
  answer: Answer | undefined;
};

const font = readFileSync(
  join(
    import.meta.dirname,
    '../../node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  ),
).toString('base64');

const style = `
@font-face { font-family: Figtree; font-weight: 300 900; src: url(data:font/woff2;base64,${font}); }
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef1f7, #151923);
  --surface: light-dark(#ffffff, #1c212c);
  --text: light-dark(#171c26, #e9ecf2);
  --muted: light-dark(#566072, #a3adbd);
  --accent: light-dark(#2456d6, #9dbaff);
  font: 17px/1.5 Figtree, sans-serif;
}
* { box-sizing: border-box; margin: 0; }
body {
  display: grid; grid-template-columns: auto 1fr; align-items: center; gap: 56px;
  height: 720px; padding: 0 56px; background: var(--ground); color: var(--text);
}
.phone { padding: 9px; border-radius: 40px; background: light-dark(#1b2130, #05070b); box-shadow: 0 24px 48px rgb(0 0 0 / 0.22); }
.phone img { display: block; width: 312px; height: 624px; border-radius: 32px; }
pre { overflow: hidden; white-space: pre; font: 14.5px/1.55 ui-monospace, "DejaVu Sans Mono", monospace; }
.card { padding: 22px 26px; border-radius: 18px; background: var(--surface); }
.card + .card { margin-top: 18px; }
h2 { margin-bottom: 8px; font-size: 15px; font-weight: 600; color: var(--muted); }
ol { display: grid; gap: 15px; padding: 0; list-style: none; font-size: 23px; color: var(--muted); }
ol .now { color: var(--text); font-weight: 650; }
ol li { display: grid; grid-template-columns: 36px 1fr; align-items: center; }
ol li::before { content: ""; width: 12px; height: 12px; border-radius: 50%; border: 2px solid var(--muted); }
ol .past::before { background: var(--muted); }
ol .now::before { background: var(--accent); border-color: var(--accent); box-shadow: 0 0 0 5px color-mix(in srgb, var(--accent) 24%, transparent); }
i { font-style: normal; color: var(--accent); }
`;

/** A page of 1120 by 720 pixels: the phone, and next to it the response, or the steps until there is a response. */
export const composeScene = (
  { step, phone, answer }: Scene,
  steps: readonly string[],
): string => `<!doctype html>
<style>${style}</style>
<div class="phone"><img src="data:image/png;base64,${phone}"></div>
<div>${answer ? answerCards(answer) : stepList(steps, step)}</div>`;

const stepList = (steps: readonly string[], current: string): string => {
  const index = steps.indexOf(current);
  const stateOf = (position: number) => (position < index ? 'past' : position === index ? 'now' : '');
  return `<ol>${steps.map((step, position) => `<li class="${stateOf(position)}">${step}</li>`).join('')}</ol>`;
};

const answerCards = ({ path, body }: Answer): string => {
  const request = `GET ${path.replace(/\?.*/, '')}\nAuthorization: Bearer eyJ…\nX-Scoped-Token: …`;
  const { transactions } = JSON.parse(body) as { transactions: object[] };
  const shown = `${JSON.stringify({ transactions: transactions.slice(0, 1) }, null, 2).replace(/\n {2}\]\n\}$/, ',\n    …')}`;
  return `<div class="card"><h2>Your backend’s request</h2><pre>${mark(request)}</pre></div>
<div class="card"><h2>The service’s response</h2><pre>${mark(shown)}</pre></div>`;
};

const mark = (text: string): string =>
  text
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/("[^"]+")(?=:)|^(GET|[\w-]+(?=: ))/gm, '<i>$&</i>');
