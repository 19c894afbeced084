// What every screen receives: the view of its state, whether a step is under way, and the way to take one; and
// which screens have one before them to go back to.
import type { LinkStep, LinkSessionView } from './apiClient.ts';

export type ViewOf<State extends LinkSessionView['state']> = Extract<LinkSessionView, { state: State }>;
export type SubmitStep = (step: LinkStep) => void;
export type ScreenProps<State extends LinkSessionView['state']> = {
  view: ViewOf<State>;
  submitting: boolean;
  submitStep: SubmitStep;
};

export const canGoBack = (view: LinkSessionView | undefined): boolean =>
  view !== undefined &&
  (view.state === 'institution' ||
    view.state === 'challenge' ||
    view.state === 'accounts' ||
    (view.state === 'credentials' && !view.reconnect));
