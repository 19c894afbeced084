// The servers that all test files of a run share. globalSetup.ts starts each at its first use.
import { inject } from 'vitest';

/** The address of the run's PostgreSQL server (its database `postgres`) or browser. */
export const sharedServerUrl = async (name: 'postgres' | 'browser'): Promise<string> => {
  const response = await fetch(new URL(name, inject('sharedServersUrl')));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
};
