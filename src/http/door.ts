// A door: a contract, its validator and its handlers on Express. The contract alone says which addresses there
// are; three doors are made this way and in no other.
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { middleware as validate } from 'express-openapi-validator';
import type { Service } from '../service.ts';
import { type Contract, findMethods, findOperations } from './contract.ts';
import { MethodNotAllowed } from './failures.ts';
import { makeResponseCheck } from './responseCheck.ts';
import { sendAnswer } from './send.ts';

type AnyInput = { path: object; query: object; body: unknown };
export type AnyHandler = (input: never, service: Service) => Promise<unknown>;

export type Door = {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  /** For contracts whose credentials are checked before the parameters: by the names of their schemes. */
  security?: Record<string, (request: Request) => Promise<boolean>>;
  /** What they refused a request for: the validator keeps only the status of that error. */
  refusal?: (request: Request) => unknown;
  /** What is known of who asks; it becomes part of the handler's input. Throws where they may not ask. */
  caller: (request: Request, operationId: string) => Promise<object>;
  /** Whose requests are counted together, and how many a minute there may be. */
  limit: (caller: object, request: Request) => Promise<void>;
};

/** A door as a router: only what its contract describes comes through, to the validator and then its handler. */
export const openDoor = (door: Door, service: Service): Router => {
  const router = Router();
  router.use(onlyDescribed(door.contract));
  router.use(validateAndHandle(door, service));
  router.use(restoreRefusal(door));
  return router;
};

const restoreRefusal =
  ({ refusal }: Door): ErrorRequestHandler =>
  (error, request, _response, next) =>
    next(refusal?.(request) ?? error);

// Express would answer HEAD by a handler for GET, past the validator, and would not mind upper case.
const onlyDescribed = (contract: Contract): RequestHandler => {
  const methodsAt = findMethods(contract);
  return (request, _response, next) => {
    const methods = methodsAt(request.path);
    if (!methods) return next('router');
    // Throws for an address that cannot be decoded, which names nothing.
    decodeURIComponent(request.path);
    if (!methods.includes(request.method)) throw new MethodNotAllowed(methods);
    next();
  };
};

const validateAndHandle = (door: Door, service: Service): RequestHandler[] => {
  const operations = findOperations(door.contract);
  const check = service.config.checkResponses ? makeResponseCheck(door.contract) : undefined;
  return validate({
    apiSpec: { ...door.contract, servers: [{ url: '/' }] } as never,
    validateApiSpec: false,
    // Whoever mends a request wants to hear of everything that is wrong with it.
    validateRequests: { allErrors: true },
    // By default only the form of a date is looked at, and 30 February would pass.
    ajvFormats: { mode: 'full' },
    validateResponses: false,
    // No operation of ours takes a file; without this every request passes through that step too.
    fileUploader: false,
    validateSecurity: door.security ? { handlers: door.security } : false,
    operationHandlers: {
      basePath: '/',
      resolver: (_basePath: string, route: { openApiRoute: string; method: string }) => {
        const operation = operations.get(`${route.method.toUpperCase()} ${route.openApiRoute}`)!;
        const handler = door.handlers[operation.operationId] as (
          input: AnyInput,
          service: Service,
        ) => Promise<unknown>;
        return async (request: Request, response: Response) => {
          response.locals.operation = operation.operationId;
          const caller = await door.caller(request, operation.operationId);
          response.locals.caller = caller;
          await door.limit(caller, request);
          const input = Object.assign(inputOf(request), caller);
          const answer = await handler(input, service);
          await sendAnswer(response, answer, { status: operation.status, check: check?.(operation) });
        };
      },
    } as never,
  }) as RequestHandler[];
};

const inputOf = ({ params, query, body }: Request): AnyInput => ({ path: params, query, body });
