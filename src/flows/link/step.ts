// Shared by the steps of a link session: their context, their input and their result.
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

/** What a step leads to: another state, or the import of what was selected. */
export type Next =
  | {
      to: Exclude<LinkState, { at: 'importing' }>;
      /** The institution has rejected the credentials or the answer. */
      rejected?: true;
      kept?: Kept;
    }
  | PendingImport;

/** What a request says of the end user who sends it. */
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

/** The error of a wrong input of a step. */
export const invalidStep = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

/** The session's institution; undefined where none is selected, or no connector has it any more. */
export const findInstitution = ({ deps, session }: Pick<StepContext, 'deps' | 'session'>) => {
  const institution = selectedIn(session.state);
  return institution && deps.registry.find(session.application.environment, institution.id);
};

/** The session's institution. Throws LinkSessionExpired where no connector has it any more. */
export const requireInstitution = (context: Pick<StepContext, 'deps' | 'session'>) => {
  const found = findInstitution(context);
  if (!found) throw new LinkSessionExpired();
  return found;
};

export const connectorOf = (context: StepContext): Connector => requireInstitution(context).connector;
