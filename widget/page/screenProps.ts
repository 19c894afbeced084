// The props of the screens, and which screens have a back button.
import type { LinkSessionView, LinkStep } from './apiClient.ts';

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
