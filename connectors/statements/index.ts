// Reads bank statements.
export { addsUp } from './addsUp.ts';
export { parseCamt } from './camt.ts';
export { parseMt940 } from './mt940.ts';
export {
  decodeStatement,
  type Statement,
  type StatementBalance,
  type StatementEntry,
  StatementError,
} from './statement.ts';
