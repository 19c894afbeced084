// A door: a contract, its validator and its handlers on Express. The contract alone says which addresses there
// are; three doors are made this way and in no other. What is made of a contract takes a quarter of a second, and
// knows nothing of a service: it is made once in a process, and a request says to whose door it came.
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { middleware as validate } from 'express-openapi-validator';
import type { Service } from '../service.ts';
import { type Contract, methodsByPath, findOperations, type OperationMeta } from './contract.ts';
import { MethodNotAllowed } from './problems.ts';
import { makeResponseValidator } from './responseValidator.ts';
import { writeResponse } from './writeResponse.ts';

type AnyInput = { path: object; query: object; body: unknown };
export type AnyHandler = (input: never, service: Service) => Promise<unknown>;

export type ContractMount = {
  contract: Contract;
  handlers: Record<string, AnyHandler>;
  /** For contracts whose credentials are checked before the parameters: by the names of their schemes. */
  security?: Record<string, (request: Request) => Promise<boolean>>;
  /** What they refused a request for: the validator keeps only the status of that error. */
  refusal?: (request: Request) => unknown;
  /** What is known of who asks; it becomes part of the handler's input. Throws where they may not ask. */
  authenticate: (request: Request, operationId: string) => Promise<object>;
  /** Whose requests are counted together, and how many a minute there may be. */
  rateLimit: (caller: object, request: Request) => Promise<void>;
};

/** Whose door a request came to. */
type RequestContext = { mount: ContractMount; service: Service };

const contextOf = (response: Response | undefined): RequestContext => response!.locals.visit;

/** A door as a router: only what its contract describes comes through, to the validator and then its handler. */
export const mountContract = (mount: ContractMount, service: Service): Router => {
  const router = Router();
  router.use(onlyDescribed(mount.contract));
  router.use((_request, response, next) => {
    response.locals.visit = { mount, service } satisfies RequestContext;
    next();
  });
  router.use(validateAndHandle(mount));
  router.use(restoreRefusal(mount));
  return router;
};

const restoreRefusal =
  ({ refusal }: ContractMount): ErrorRequestHandler =>
  (error, request, _response, next) =>
    next(refusal?.(request) ?? error);

// Express would answer HEAD by a handler for GET, past the validator, and would not mind upper case.
const onlyDescribed = (contract: Contract): RequestHandler => {
  const methodsAt = methodsByPath(contract);
  return (request, _response, next) => {
    const methods = methodsAt(request.path);
    if (!methods) return next('router');
    // Throws for an address that cannot be decoded, which names nothing.
    decodeURIComponent(request.path);
    if (!methods.includes(request.method)) throw new MethodNotAllowed(methods);
    next();
  };
};

/** What `make` made of a contract, once. */
const oncePerContract = <Made>(make: (door: ContractMount) => Made): ((door: ContractMount) => Made) => {
  const known = new WeakMap<Contract, Made>();
  return (door) => {
    const made = known.get(door.contract) ?? make(door);
    known.set(door.contract, made);
    return made;
  };
};

const responseCheck = oncePerContract(({ contract }) => makeResponseValidator(contract));

const validateAndHandle = oncePerContract(({ contract, security }): RequestHandler[] => {
  const operations = findOperations(contract);
  return validate({
    // It writes into what it is given.
    apiSpec: structuredClone({ ...contract, servers: [{ url: '/' }] }) as never,
    validateApiSpec: false,
    // Whoever mends a request wants to hear of everything that is wrong with it.
    validateRequests: { allErrors: true },
    // By default only the form of a date is looked at, and 30 February would pass.
    ajvFormats: { mode: 'full' },
    validateResponses: false,
    // No operation of ours takes a file; without this every request passes through that step too.
    fileUploader: false,
    validateSecurity: security ? { handlers: securityHandlers(Object.keys(security)) } : false,
    operationHandlers: {
      basePath: '/',
      resolver: (_basePath: string, route: { openApiRoute: string; method: string }) =>
        handle(operations.get(`${route.method.toUpperCase()} ${route.openApiRoute}`)!),
    } as never,
  }) as RequestHandler[];
});

/** Schemes that ask the door which the request came to. */
const securityHandlers = (schemes: string[]): NonNullable<ContractMount['security']> =>
  Object.fromEntries(
    schemes.map((scheme) => [
      scheme,
      (request: Request) => contextOf(request.res).mount.security![scheme]!(request),
    ]),
  );

const handle =
  (operation: OperationMeta): RequestHandler =>
  async (request: Request, response: Response) => {
    const { mount, service } = contextOf(response);
    const handler = mount.handlers[operation.operationId] as (
      input: AnyInput,
      service: Service,
    ) => Promise<unknown>;
    response.locals.operation = operation.operationId;
    const caller = await mount.authenticate(request, operation.operationId);
    response.locals.caller = caller;
    await mount.rateLimit(caller, request);
    const input = Object.assign(inputOf(request), caller);
    const answer = await handler(input, service);
    const check = service.config.checkResponses ? responseCheck(mount)(operation) : undefined;
    await writeResponse(response, answer, { status: operation.status, check });
  };

const inputOf = ({ params, query, body }: Request): AnyInput => ({ path: params, query, body });
