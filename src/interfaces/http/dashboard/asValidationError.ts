// Input checks that the dashboard shares with the command line.
import { OperatorError, ValidationError } from '../../../platform/values/errors.ts';

/** Turns an OperatorError, which is written for the command line, into a ValidationError of this field. */
export const asValidationError = async <Result>(
  path: string,
  run: () => Result | Promise<Result>,
): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new ValidationError('invalid_request', [{ path, message: error.message }]);
  }
};
