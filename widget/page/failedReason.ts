// The reasons for a failed link session.
import type { LinkSessionView } from './apiClient.ts';

type FailedView = Extract<LinkSessionView, { state: 'failed' }>;

/** The reason why the link session failed, or why none could be created. */
export type FailedReason =
  | FailedView['reason']
  | 'origin_not_allowed'
  | 'wrong_address'
  | 'unknown_application'
  | 'unknown_connection'
  | 'unknown_user'
  | 'native_not_allowed';
