// Validates a request against its operation. express-openapi-validator stops at the first query parameter that is
// unknown, empty or badly encoded; these are therefore checked here, and all errors are reported together. Strings are also
// checked here, because the same rule holds for every field of every contract.

import { parse as parseUrl } from 'node:url';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Request, RequestHandler } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { ValidationError } from '../../platform/values/errors.ts';
import { isPlainText, plainTextRule } from '../../platform/values/text.ts';
import { type Contract, type OperationMeta, requestsContract } from './contract.ts';
import { type FieldErrors, fieldErrorsOf } from './problems.ts';
import { checkQuery } from './validQuery.ts';

/**
 * Validates parameters and body, and leaves the converted values in `request.query` and `request.body`. Throws
 * ValidationError with every wrong field.
 */
export type RequestValidator = (request: Request) => Promise<void>;

/**
 * A validator for each operation. All share the handlers of express-openapi-validator, which are created on first use: that
 * takes about 150 ms, most of it the same for each operation.
 */
export const makeRequestValidators = (
  contract: Contract,
): ((operation: OperationMeta) => RequestValidator) => {
  let handlers: RequestHandler[] | undefined;
  return (operation) => async (request) => {
    const { errors: queryErrors, kept } = checkQuery(operation, request.originalUrl);
    const [path] = request.originalUrl.split('?');
    request.originalUrl = kept.length > 0 ? `${path}?${kept.map(({ pair }) => pair).join('&')}` : path!;
    request.url = request.originalUrl;
    const errors = [...queryErrors, ...textErrors(request.body)];
    if (operation.isValidated) {
      handlers ??= makeHandlers(contract);
      errors.push(...(await errorsOf(handlers, request)));
    }
    if (errors.length > 0) throw new ValidationError('invalid_request', errors);
  };
};

const makeHandlers = (contract: Contract): RequestHandler[] => {
  hideUrlWarning();
  return openApiValidator({
    apiSpec: requestsContract(contract) as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true },
    // In the default mode only the form of a date is checked, and 30 February would pass.
    ajvFormats: { mode: 'full' },
    formats: { 'date-time': { type: 'string', validate: isDateTime } },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as RequestHandler[];
};

// The validator calls Node.js's `url.parse`. Until it has printed its deprecation warning once, each call captures a stack trace
// to decide whether to print it.
const hideUrlWarning = (): void => {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parseUrl('/');
  process.noDeprecation = noDeprecation;
};

// RFC 3339 allows leap seconds and short offsets, which JavaScript's dates do not have.
const isDateTime = (text: string): boolean => rfc3339.validate(text) && !Number.isNaN(Date.parse(text));
const rfc3339 = fullFormats['date-time'] as { validate(text: string): boolean };

const textErrorsMax = 10;

/** The first `textErrorsMax` properties of a body that are not plain text. Not recursive: a body may be nested deeply. */
const textErrors = (body: unknown): FieldErrors => {
  const errors: FieldErrors = [];
  const pending = [{ path: '/body', value: body }];
  for (const { path, value } of pending) {
    if (errors.length === textErrorsMax) break;
    if (typeof value === 'string' && !isPlainText(value)) errors.push({ path, message: plainTextRule });
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (isPlainText(name)) pending.push({ path: `${path}/${name}`, value: part });
      else errors.push({ path, message: `has a property whose name ${plainTextRule}` });
    }
  }
  return errors;
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

/** Runs a middleware of Express. Rejects with the error that the middleware throws or passes to `next`. */
export const runHandler = (handler: RequestHandler, request: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    const result: unknown = handler(request, request.res!, (error?: unknown) =>
      error === undefined ? resolve() : reject(error),
    );
    if (result instanceof Promise) result.catch(reject);
  });
