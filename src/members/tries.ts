// How often somebody may try to sign in, by email and by address, counted in the database so that it holds over any
// number of processes, to the last try: one statement counts and answers. Requests, of which there are many and the
// exact number matters less, are counted in src/metrics/quotas.ts.
import { after, seconds } from '../clock.ts';
import { TooManyTries } from '../errors.ts';
import { hashOpaqueToken } from '../vault/opaqueToken.ts';
import { countTry, forgetTries } from './signInStore.ts';
import type { MemberTools } from './tools.ts';

export type Trying = { email: string; address: string };

// What was typed as an email may be a password by mistake, so it is not kept as it is.
const keyOf = (kind: 'email' | 'address', text: string): string => `${kind} ${hashOpaqueToken(text)}`;

/** Counts a try; throws TooManyTries beyond what an email, known or not, or an address has. */
export const noteTry = async (tools: MemberTools, { email, address }: Trying): Promise<void> => {
  const { signInTriesPerEmail, signInTriesPerAddress } = tools.limits;
  await count(tools, keyOf('address', address), signInTriesPerAddress);
  await count(tools, keyOf('email', email), signInTriesPerEmail);
};

/** Tries without an email, such as those of a passkey or a link. */
export const noteTryFrom = async (tools: MemberTools, address: string): Promise<void> =>
  count(tools, keyOf('address', address), tools.limits.signInTriesPerAddress);

/** Whoever got in has their tries back. */
export const forgiveTries = async (tools: MemberTools, email: string): Promise<void> =>
  forgetTries(tools.db.write, keyOf('email', email));

const count = async ({ db, clock, limits }: MemberTools, key: string, allowed: number): Promise<void> => {
  const now = clock.real();
  const until = after(now, seconds(limits.signInTriesMinutes * 60)).toISOString();
  const tried = await countTry(db.write, key, { now: now.toISOString(), until });
  if (tried.count <= allowed) return;
  throw new TooManyTries(Math.max(1, Math.ceil((Date.parse(tried.until) - now.getTime()) / seconds(1))));
};
