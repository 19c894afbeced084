// Who asks at the public interface: the API key makes the application, the scoped token beside it the Reader.
import type { Request } from 'express';
import { authenticateApiKey } from '../../applications/apiKeys.ts';
import type { Application } from '../../applications/application.ts';
import { type Access, type RetentionContext, openAccess } from '../../connections/access.ts';
import { Forbidden, Unauthenticated } from '../../errors.ts';
import type { Service } from '../../service.ts';
import { findEndUser } from '../../users/store.ts';
import { makeReader } from '../../vault/reader.ts';
import { parseScopedToken } from '../../vault/scopedToken.ts';

export type ApplicationPrincipal = { application: Application; keyId: string; retention: RetentionContext };
export type ReaderPrincipal = ApplicationPrincipal & { access: Access };

export type Credentials = {
  /** For the validator, which asks for both schemes at once: the key is always judged before the token. */
  security: Record<'ApiKey' | 'ScopedToken', (request: Request) => Promise<boolean>>;
  /** What a request was refused for by these. */
  refusal(request: Request): unknown;
  caller(request: Request): Promise<Partial<ReaderPrincipal>>;
};

/** Recognises the callers of the public interface, each credential once a request. */
export const makeCredentials = (service: Service): Credentials => {
  const applications = new WeakMap<Request, Promise<ApplicationPrincipal>>();
  const accesses = new WeakMap<Request, Promise<Access>>();
  const refusals = new WeakMap<Request, unknown>();
  const applicationOf = (request: Request): Promise<ApplicationPrincipal> =>
    once(applications, request, () => authenticateApplication(service, request));
  const accessOf = (request: Request): Promise<Access> =>
    once(accesses, request, async () =>
      authenticateScopedToken(service, request, await applicationOf(request)),
    );
  const passes = async (request: Request, recognized: Promise<unknown>): Promise<boolean> => {
    try {
      await recognized;
      return true;
    } catch (error) {
      refusals.set(request, error);
      throw error;
    }
  };
  return {
    security: {
      ApiKey: (request) => passes(request, applicationOf(request)),
      ScopedToken: (request) => passes(request, accessOf(request)),
    },
    refusal: (request) => refusals.get(request),
    caller: async (request) => ({
      ...(await applicationOf(request)),
      ...(accesses.has(request) && { access: await accessOf(request) }),
    }),
  };
};

const once = <Value>(
  kept: WeakMap<Request, Promise<Value>>,
  request: Request,
  find: () => Promise<Value>,
): Promise<Value> => {
  const known = kept.get(request) ?? find();
  kept.set(request, known);
  return known;
};

const authenticateApplication = async (service: Service, request: Request): Promise<ApplicationPrincipal> => {
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  if (!apiKey) throw new Unauthenticated();
  const { db, apiKeySigner, clock, config } = service;
  const { application, keyId } = await authenticateApiKey(db, apiKeySigner, apiKey, clock.real());
  const { environment } = application;
  const retention = { clock, environment, retentionDays: config.limits.retentionDays };
  return { application, keyId, retention };
};

// One answer for every reason: no token, no token's form, nobody's token, another application's, another secret,
// or a user of whom nothing is left.
const authenticateScopedToken = async (
  { db }: Service,
  request: Request,
  { application, retention }: ApplicationPrincipal,
): Promise<Access> => {
  const token = parseScopedToken(request.get('X-Scoped-Token') ?? '');
  const user = token && (await findEndUser(db.read, token.endUserId));
  if (!token || user?.applicationId !== application.id) throw new Forbidden();
  const reader = makeReader(user, token.secret);
  if (!reader) throw new Forbidden();
  return openAccess(db, reader, retention);
};
