// Short names for the contract's types. Amounts are JSON numbers, or decimal text in a client with `exactAmounts`, so every type
// with amounts has the type parameter `As`.
import type { MaybeOptionalInit, ParseAsResponse } from 'openapi-fetch';
import type { paths as ApiPaths, components } from '../generated/api.ts';
import type { components as SimplefinComponents, paths as SimplefinPaths } from '../generated/simplefin.ts';

type Schemas = components['schemas'];

/** The seven operations, and those with which a backend creates, lists and revokes SimpleFIN access. */
export type Paths = ApiPaths & Pick<SimplefinPaths, '/simplefin/accesses' | '/simplefin/accesses/{accessId}'>;

/** The type of an amount: `number`, or `string` for the decimal text in the response. */
export type Amount = number | string;

/** The contract's fields that are amounts. No other field has one of these names. */
export type AmountField = 'amount' | 'current' | 'available' | 'limit';

type Money<Value, As extends Amount> = Value extends number ? As : Value;
/** A copy of a type with its amounts as `As`. To the compiler, `string & {}`, the type of an open enum, is also an object. */
type WithAmounts<Shape, As extends Amount> = Shape extends string
  ? Shape
  : Shape extends readonly (infer Item)[]
    ? WithAmounts<Item, As>[]
    : Shape extends object
      ? {
          [Field in keyof Shape]: Field extends AmountField
            ? Money<Shape[Field], As>
            : WithAmounts<Shape[Field], As>;
        }
      : Shape;

export type Connection = Schemas['Connection'];
export type Account<As extends Amount = number> = WithAmounts<Schemas['Account'], As>;
export type Balance<As extends Amount = number> = Account<As>['balance'];
export type Transaction<As extends Amount = number> = WithAmounts<Schemas['Transaction'], As>;
export type Pagination = Schemas['Pagination'];
export type SimplefinAccess = SimplefinComponents['schemas']['SimplefinAccess'];
export type Problem = Schemas['Problem'];
export type ProblemCode = Problem['code'];

type Method = 'get' | 'post' | 'delete';
type Success = 200 | 201 | 204;
type PathsWith<Verb extends Method> = {
  [Path in keyof Paths]: Paths[Path][Verb] extends object ? Path : never;
}[keyof Paths];
type BodyOf<Declared> = Declared extends { content: infer Content } ? Content[keyof Content] : undefined;

/** The result of a request: `data` if the status is a success, else `error`. */
type Result<Operation, Init, As extends Amount> = Operation extends { responses: infer Responses }
  ?
      | {
          data: ParseAsResponse<WithAmounts<BodyOf<Responses[keyof Responses & Success]>, As>, Init>;
          error?: never;
          response: Response;
        }
      | { data?: never; error: BodyOf<Responses[Exclude<keyof Responses, Success>]>; response: Response }
  : never;

/**
 * A method of openapi-fetch for the contract's operations. openapi-fetch's own result types break open enums (openapi-typescript
 * issue 2765) and do not support exact amounts.
 */
export type RequestMethod<Verb extends Method, As extends Amount> = <
  Path extends PathsWith<Verb>,
  Init extends MaybeOptionalInit<Paths[Path], Verb>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<Result<Paths[Path][Verb], Init, As>>;
