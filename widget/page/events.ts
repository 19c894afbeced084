// The events for the host: for the user's steps, and for the resulting views.
import type { ConnectEvent, ConnectMetadata } from '../types.ts';
import type { LinkSessionView, LinkStep } from './apiClient.ts';

export type WidgetEvent = { name: ConnectEvent; metadata: ConnectMetadata };

const eventByStep: Partial<Record<LinkStep['kind'], ConnectEvent>> = {
  consent: 'consent_given',
  selectInstitution: 'institution_selected',
  credentials: 'credentials_submitted',
  answer: 'challenge_answered',
  returned: 'challenge_answered',
  selectAccounts: 'accounts_selected',
};

const institutionOf = (view: LinkSessionView | undefined): ConnectMetadata =>
  view?.institution ? { institutionId: view.institution.id } : {};

const challengeOf = (view: LinkSessionView | undefined): ConnectMetadata =>
  view?.state === 'challenge' ? { challengeKind: view.challenge.kind } : {};

/** The event for a user's step; undefined for going back, trying again, and polling for an approval. */
export const eventOfStep = (step: LinkStep, view: LinkSessionView | undefined): WidgetEvent | undefined => {
  const name = eventByStep[step.kind];
  const isPoll = step.kind === 'answer' && step.answer === '';
  if (!name || isPoll) return undefined;
  const selected = step.kind === 'selectInstitution' ? { institutionId: step.institutionId } : {};
  return { name, metadata: { ...institutionOf(view), ...challengeOf(view), ...selected } };
};

/**
 * The events for a view that is not busy, compared with the previous such view; empty if nothing changed. A short import may have
 * finished before its first view, but it did start.
 */
export const eventsOfView = (view: LinkSessionView, before: LinkSessionView | undefined): WidgetEvent[] => {
  // A poll may return an unchanged view.
  if (view.version === before?.version) return [];
  const metadata = institutionOf(view);
  if (view.state === 'failed') return [{ name: 'failed', metadata: { ...metadata, reason: view.reason } }];
  if ('error' in view && view.error) {
    return [{ name: 'failed', metadata: { ...metadata, ...challengeOf(view), reason: view.error.reason } }];
  }
  const isNew = view.state !== before?.state;
  if (view.state === 'challenge' && (isNew || !isSameChallenge(view, before)))
    return [{ name: 'challenge_shown', metadata: { ...metadata, ...challengeOf(view) } }];
  const started: WidgetEvent = { name: 'import_started', metadata };
  if (view.state === 'importing' && isNew) return [started];
  if (view.state !== 'finished' || !isNew) return [];
  return [...(before?.state === 'importing' ? [] : [started]), { name: 'connected', metadata }];
};

/** A push approval is polled, and gets a new version each time. */
const isSameChallenge = (view: LinkSessionView, before: LinkSessionView | undefined): boolean =>
  view.state === 'challenge' &&
  before?.state === 'challenge' &&
  JSON.stringify(view.challenge) === JSON.stringify(before.challenge);
