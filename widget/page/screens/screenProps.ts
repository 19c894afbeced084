// The props that screens share.
import type { LinkSessionView, LinkStep } from '../apiClient.ts';

export type ViewOf<State extends LinkSessionView['state']> = Extract<LinkSessionView, { state: State }>;
export type SubmitStep = (step: LinkStep) => void;
export type ScreenProps<State extends LinkSessionView['state']> = {
  view: ViewOf<State>;
  submitting: boolean;
  submitStep: SubmitStep;
};

/** True if a screen has a back button. */
export const canGoBack = (view: LinkSessionView | undefined): boolean =>
  view?.steps.includes('back') === true;
