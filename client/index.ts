// The public exports of the package.
export { type Client, type ClientOptions, createClient } from './createClient.ts';
export { type LinkSandboxOptions, linkSandbox } from './linkSandbox.ts';
export { ProblemError, unwrap } from './problemError.ts';
export { type LinkResult, SandboxLinkError, type SandboxUser } from './sandboxLink.ts';
export { type SignedUser, signUser } from './signUser.ts';
export { type SyncOptions, type SyncState, syncTransactions } from './syncTransactions.ts';
export {
  type TransactionPage,
  type TransactionQuery,
  transactionPages,
  transactions,
} from './transactions.ts';
export type {
  Account,
  Amount,
  Balance,
  Connection,
  Problem,
  ProblemCode,
  SimplefinAccess,
  Transaction,
} from './types.ts';
export { UsageError } from './usageError.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookType,
  WebhookVerificationError,
} from './verifyWebhook.ts';
