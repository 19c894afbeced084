// Serves the operations of a contract. Each request passes the same steps, in this order:
// match the operation -> authenticate -> rate limit -> validate -> handle -> write the response. A query that is certainly valid is
// read before the credentials are checked, so that all database queries start at once.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response, Router } from 'express';
import type { RateLimiter } from '../../domain/rateLimits/rateLimiter.ts';
import type { RequestSlot } from '../../platform/loops/requestSlots.ts';
import type { Config } from '../../platform/settings/config.ts';
import { NotFound, ValidationError } from '../../platform/values/errors.ts';
import { isPlainText } from '../../platform/values/text.ts';
import { allowOriginHeader, type Contract, makeMatcher, type OperationMeta } from './contract.ts';
import { type AuthFailureLimit, makeAuthFailureLimit, type RateLimitHeaders } from './limits.ts';
import { MethodNotAllowed, RateLimited } from './problems.ts';
import { makeRequestValidators, runHandler } from './requestValidator.ts';
import { makeResponseValidator } from './responseValidator.ts';
import { makeValidQueryReaders, type Query } from './validQuery.ts';
import { writeResponse } from './writeResponse.ts';

/** The parts of the service that the steps of every contract need. */
export type RouterNeeds = {
  config: Pick<Config, 'limits' | 'checkResponses'>;
  rateLimiter: RateLimiter;
  makeRequestSlot(): RequestSlot;
};

export type AuthenticationRequest = {
  request: Request;
  operation: OperationMeta;
  path: Record<string, string>;
  /** The converted query if it is certainly valid; otherwise it is validated later. */
  query: Query | undefined;
  /** Call with the part of the principal that is known so far: a request that fails later is logged with it. */
  identified(principal: object): void;
  /** Take it as soon as the application is known, before querying the database. */
  slot: RequestSlot;
};

export type ContractMount<Needs> = {
  contract: Contract;
  handlers: Record<string, (input: never, service: Needs) => Promise<unknown>>;
  /** Set on every response of the contract's paths. None is cached. */
  headers?: Record<string, string>;
  /** The principal of a request; it becomes part of the handler's input. Throws if the credentials are not valid. */
  authenticate(request: AuthenticationRequest): Promise<object>;
  /** Counts the request toward its limit. Throws RateLimited. */
  rateLimit(principal: object, request: Request): RateLimitHeaders;
};

/** A router that serves exactly the operations of the contract; requests for other paths leave it. */
export const mountContract = <Needs extends RouterNeeds>(
  service: Needs,
  mount: ContractMount<Needs>,
): Router => {
  const steps = stepsOf(mount.contract);
  const headers = { 'Cache-Control': 'no-store', ...mount.headers };
  const authFailures = makeAuthFailureLimit(service);
  const parseJson = express.json({
    limit: service.config.limits.requestBodyBytesMax,
    verify: requireUtf8,
  });
  const router = Router();
  router.use(async (request, response, next) => {
    // RFC 9110, section 9.3.2: like GET. Node.js sends no body with the response.
    const isHead = request.method === 'HEAD';
    const matched = steps.match(isHead ? 'GET' : request.method, request.path);
    if (!matched) return next();
    setHeaders(response, headers);
    if ('methods' in matched) throw new MethodNotAllowed(request.method, matched.methods);
    const { operation, path } = matched;
    // The request validator knows only the methods of the contract.
    request.method = operation.method;
    response.locals.operation = operation.operationId;
    response.locals.route = operation.path;
    response.locals.refusesInText = operation.refusesInText;
    if (operation.allowsOtherOrigins) response.setHeader(allowOriginHeader, '*');

    const query = steps.readValidQueryOf(operation)(request.originalUrl);
    const slot = service.makeRequestSlot();
    try {
      const principal = await authenticate(mount, authFailures, {
        request,
        response,
        slot,
        operation,
        path,
        query,
      });
      setHeaders(response, mount.rateLimit(principal, request));
      // No id contains such characters, and PostgreSQL refuses some of them.
      if (!Object.values(path).every(isPlainText)) throw new NotFound('page');
      if (operation.bodyType === 'application/json') await runHandler(parseJson, request);
      // An upload: the validator requires a body, and the handler reads the stream.
      else if (operation.bodyType !== undefined) request.body = 'stream';
      if (!query) await steps.validatorOf(operation)(request);
      const input = Object.assign({ path, query: query ?? request.query, body: request.body }, principal);
      const result = await mount.handlers[operation.operationId]!(input as never, service);
      const validator = service.config.checkResponses ? steps.responseValidatorOf(operation) : undefined;
      await writeResponse(response, result, { operation, validator, slot, isHead });
    } finally {
      slot.release();
    }
  });
  return router;
};

// Express's own function also checks each name and value for cases that do not occur here.
const setHeaders = (response: Response, headers: Record<string, string>): void => {
  for (const name in headers) response.setHeader(name, headers[name]!);
};

/** The steps do not depend on the service, so each process creates them once per contract. */
const stepsOf = (contract: Contract) => {
  const steps = stepsByContract.get(contract) ?? makeSteps(contract);
  stepsByContract.set(contract, steps);
  return steps;
};

const makeSteps = (contract: Contract) => ({
  match: makeMatcher(contract),
  validatorOf: makeRequestValidators(contract),
  readValidQueryOf: makeValidQueryReaders(contract),
  responseValidatorOf: makeResponseValidator(contract),
});

const stepsByContract = new WeakMap<Contract, ReturnType<typeof makeSteps>>();

const authenticate = async (
  mount: Pick<ContractMount<never>, 'authenticate' | 'rateLimit'>,
  authFailures: AuthFailureLimit,
  { response, ...matched }: { response: Response } & Omit<AuthenticationRequest, 'identified'>,
): Promise<object> => {
  try {
    const principal = await mount.authenticate({
      ...matched,
      identified: (known) => {
        response.locals.principal = known;
      },
    });
    response.locals.principal = principal;
    return principal;
  } catch (error) {
    // A valid API key with an invalid scoped token also counts toward the application's limit.
    const { principal } = response.locals;
    if (principal) setHeaders(response, countRefused(mount, principal, matched.request));
    authFailures(error, matched.request.ip);
    throw error;
  }
};

/** Counts a request that is refused anyway, and returns the headers of its limit. */
const countRefused = (
  mount: Pick<ContractMount<never>, 'rateLimit'>,
  principal: object,
  request: Request,
): Record<string, string> => {
  try {
    return mount.rateLimit(principal, request);
  } catch (error) {
    if (error instanceof RateLimited) return error.headers;
    throw error;
  }
};

// JSON is UTF-8 (RFC 8259, section 8.1). Replacing invalid bytes would make different strings equal.
const requireUtf8 = (_request: IncomingMessage, _response: unknown, body: Buffer, encoding: string): void => {
  if (encoding === 'utf-8' && isUtf8(body)) return;
  throw new ValidationError('invalid_request', [{ path: '/body', message: 'must be JSON in UTF-8' }]);
};
