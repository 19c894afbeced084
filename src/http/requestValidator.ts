// Validates a request against its operation. express-openapi-validator stops at the first query parameter that is
// unknown, empty or badly encoded; these are therefore checked here, and both lists of errors are reported together.
import type { Request, RequestHandler } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { ValidationError } from '../errors.ts';
import { type Contract, type OperationMeta, pruneContract } from './contract.ts';
import { type FieldErrors, fieldErrorsOf } from './problems.ts';

/**
 * Validates parameters and body, and leaves the converted values in `request.query` and `request.body`. Throws
 * ValidationError with every wrong field.
 */
export type RequestValidator = (request: Request) => Promise<void>;

/** A validator for each operation, made when it is first needed: that takes about 50 ms. */
export const makeRequestValidators = (
  contract: Contract,
): ((operation: OperationMeta) => RequestValidator) => {
  const validators = new Map<string, RequestValidator>();
  return (operation) => {
    const validator = validators.get(operation.operationId) ?? makeRequestValidator(contract, operation);
    validators.set(operation.operationId, validator);
    return validator;
  };
};

const makeRequestValidator = (contract: Contract, operation: OperationMeta): RequestValidator => {
  const handlers = openApiValidator({
    apiSpec: pruneContract(contract, operation) as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true },
    // In the default mode only the form of a date is checked, and 30 February would pass.
    ajvFormats: { mode: 'full' },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as RequestHandler[];
  return async (request) => {
    const query = checkQuery(operation, request.originalUrl);
    if (query.errors.length > 0) {
      request.url = query.url;
      request.originalUrl = query.url;
    }
    const errors = [...query.errors, ...(await errorsOf(handlers, request))];
    if (errors.length > 0) throw new ValidationError('invalid_request', errors);
  };
};

const errorsOf = async (handlers: RequestHandler[], request: Request): Promise<FieldErrors> => {
  try {
    for (const handler of handlers) await runHandler(handler, request);
    return [];
  } catch (error) {
    if ((error as { status?: number }).status === 400) return fieldErrorsOf(error as Error);
    throw error;
  }
};

/** Runs a middleware of Express; rejects with the error it throws or passes to `next`. */
export const runHandler = (handler: RequestHandler, request: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    const result: unknown = handler(request, request.res!, (error?: unknown) =>
      error === undefined ? resolve() : reject(error),
    );
    if (result instanceof Promise) result.catch(reject);
  });

// RFC 3986, section 2.2, apart from `=`, which query values may contain.
const reserved = /[:/?#[\]@!$&'()*+,;]/;

/** The errors in names, empty values and encoding of the query, and the address without these parameters. */
const checkQuery = (
  { queryParameters }: OperationMeta,
  address: string,
): { errors: FieldErrors; url: string } => {
  const start = address.indexOf('?');
  if (start === -1) return { errors: [], url: address };
  const errors: FieldErrors = [];
  const kept: string[] = [];
  for (const pair of address.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [rawName, ...rest] = pair.split('=') as [string, ...string[]];
    const name = decodeName(rawName);
    const message = queryError(queryParameters, name, rest.join('='));
    if (message === undefined) kept.push(pair);
    else errors.push({ path: `/query/${name ?? ''}`, message });
  }
  return { errors, url: `${address.slice(0, start)}${kept.length > 0 ? `?${kept.join('&')}` : ''}` };
};

const queryError = (
  parameters: OperationMeta['queryParameters'],
  name: string | undefined,
  value: string,
): string | undefined => {
  // `date[gte]` belongs to the parameter `date`; the validator checks what is between the brackets.
  const parameter = parameters.find((candidate) => candidate.name === name?.replace(/\[.*$/s, ''));
  if (!parameter) return 'is not a parameter of this operation';
  if (parameter.name !== name) return undefined;
  if (value === '' && !parameter.allowEmptyValue) return 'must not be empty';
  return reserved.test(value) && !parameter.allowReserved ? 'must be percent-encoded' : undefined;
};

const decodeName = (name: string): string | undefined => {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};
