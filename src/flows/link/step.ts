// The context, input and result that all steps of a link session share.
import type { CallContext, Connector, PresentUser } from '../../../connectors/kit/contract.ts';
import { LinkSessionExpired, ValidationError } from '../../platform/values/errors.ts';
import {
  type Kept,
  type LinkingDeps,
  type LinkState,
  type LinkStep,
  type LinkStepKind,
  type OpenLinkSession,
  type PendingImport,
  type SignedIn,
  selectedIn,
} from './linkSession.ts';

/** The result of a step: another state, or the import of the selection. */
export type Next =
  | {
      to: Exclude<LinkState, { at: 'importing' }>;
      /** The institution rejected the credentials or the answer. */
      rejected?: true;
      kept?: Kept;
    }
  | PendingImport;

/** The parts of a request that describe its end user. */
export type RequestingUser = Pick<PresentUser, 'ip' | 'userAgent' | 'acceptLanguage'>;

export type StepContext = {
  deps: LinkingDeps;
  session: OpenLinkSession;
  call: CallContext & Required<Pick<CallContext, 'returnTo'>>;
  ipKey: string;
  /** The sign-in that this step completed. It is kept after a failure, because a code works only once. */
  signedIn?: SignedIn;
};

export type StepOf<Kind extends LinkStepKind> = Extract<LinkStep, { kind: Kind }>;

/** The error for a step's invalid input. */
export const invalidStep = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

/** The session's institution; undefined if none is selected, or no connector has it any more. */
export const findInstitution = ({ deps, session }: Pick<StepContext, 'deps' | 'session'>) => {
  const institution = selectedIn(session.state);
  return institution && deps.registry.find(session.application.environment, institution.id);
};

/** The session's institution. Throws LinkSessionExpired if no connector has it any more. */
export const requireInstitution = (context: Pick<StepContext, 'deps' | 'session'>) => {
  const found = findInstitution(context);
  if (!found) throw new LinkSessionExpired();
  return found;
};

export const connectorOf = (context: StepContext): Connector => requireInstitution(context).connector;
