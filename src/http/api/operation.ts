// Who a handler of the public interface hears from, and what it is.
import type { operations as Contract } from '../../../generated/api.ts';
import type { Handler } from '../operation.ts';
import type { ApplicationCaller, ReaderCaller } from './credentials.ts';

/** The two operations for which the API key is enough; every other needs the scoped token too. */
type KeyOnly = 'getConnection' | 'revokeConnection';
export type Callers = { [Id in keyof Contract]: Id extends KeyOnly ? ApplicationCaller : ReaderCaller };

/** A handler of the public interface. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], Callers[Id]>;
