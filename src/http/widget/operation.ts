// Who a handler of the widget's door hears from, and what it is.
import type { operations as Contract } from '../../../generated/widget.ts';
import type { Handler } from '../operation.ts';
import type { NoCaller, SessionCaller } from './credentials.ts';

export type Callers = { [Id in keyof Contract]: Id extends 'createSession' ? NoCaller : SessionCaller };

/** A handler of the widget's door. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], Callers[Id]>;
