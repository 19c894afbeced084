// The contract's types under short names. Amounts are JSON numbers; a client with `exactAmounts` reads them as decimal
// text. Therefore every type with amounts has the type parameter `As`.
import type { paths as ApiPaths, components } from '../generated/api.ts';
import type { components as SimplefinComponents, paths as SimplefinPaths } from '../generated/simplefin.ts';

type Schemas = components['schemas'];

/** The seven operations, and those with which a backend creates, lists and revokes accesses of SimpleFIN. */
type Paths = ApiPaths & Pick<SimplefinPaths, '/simplefin/accesses' | '/simplefin/accesses/{accessId}'>;

/** The type of an amount: `number`, or `string` for the decimal text of the response. */
export type Amount = number | string;

/** The names of the contract's fields that are amounts. No other field has one of these names. */
export type AmountField = 'amount' | 'current' | 'available' | 'limit';

type Money<Value, As extends Amount> = Value extends number ? As : Value;
type WithAmounts<Shape, As extends Amount> = Shape extends readonly (infer Item)[]
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

// The generated paths with the amounts of successful responses as `As`; parameters are unchanged.
type WithContent<Response, As extends Amount> = Response extends { content: infer Content }
  ? Omit<Response, 'content'> & { content: WithAmounts<Content, As> }
  : Response;
type WithResponses<Operation, As extends Amount> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & {
      responses: {
        [Status in keyof Responses]: Status extends 200
          ? WithContent<Responses[Status], As>
          : Responses[Status];
      };
    }
  : Operation;

export type PathsWithAmounts<As extends Amount> = number extends As
  ? Paths
  : {
      [Path in keyof Paths]: {
        [Method in keyof Paths[Path]]: WithResponses<Paths[Path][Method], As>;
      };
    };
