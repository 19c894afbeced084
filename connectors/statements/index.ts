// Reads bank statements.
export { parseCamt } from './camt.ts';
export { parseMt940 } from './mt940.ts';
export {
  decodeStatement,
  type Statement,
  type StatementBalance,
  type StatementEntry,
  StatementError,
} from './statement.ts';
