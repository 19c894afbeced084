// What every screen receives: the view of its state, whether a step is under way, and the way to take one; and
// which screens have one before them to go back to.
import type { Step, View } from './service.ts';

export type ViewOf<State extends View['state']> = Extract<View, { state: State }>;
export type Take = (step: Step) => void;
export type Shows<State extends View['state']> = { view: ViewOf<State>; working: boolean; take: Take };

export const goesBack = (view: View | undefined): boolean =>
  view !== undefined &&
  (view.state === 'bank' ||
    view.state === 'challenge' ||
    view.state === 'accounts' ||
    (view.state === 'credentials' && !view.reconnect));
