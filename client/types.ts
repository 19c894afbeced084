// The contract's shapes under short names. Money is a JSON number on the wire; a client made with
// `exactAmounts` reads it as decimal text instead, so every shape that carries money says which of the two.
import type { components, paths } from '../generated/api.ts';

type Schemas = components['schemas'];

/** How money is read: `number` as JSON.parse does it, `string` as the decimal text that was sent. */
export type Amount = number | string;

/** The names of the contract's fields that carry money, and of no others. */
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
export type Problem = Schemas['Problem'];
export type ProblemCode = Problem['code'];

// The generated paths with the amounts of successful answers read as `As`; parameters stay as they are.
type WithContent<Answer, As extends Amount> = Answer extends { content: infer Content }
  ? Omit<Answer, 'content'> & { content: WithAmounts<Content, As> }
  : Answer;
type WithResponses<Operation, As extends Amount> = Operation extends { responses: infer Answers }
  ? Omit<Operation, 'responses'> & {
      responses: {
        [Status in keyof Answers]: Status extends 200 ? WithContent<Answers[Status], As> : Answers[Status];
      };
    }
  : Operation;

export type PathsWithAmounts<As extends Amount> = number extends As
  ? paths
  : {
      [Path in keyof paths]: {
        [Method in keyof paths[Path]]: WithResponses<paths[Path][Method], As>;
      };
    };
