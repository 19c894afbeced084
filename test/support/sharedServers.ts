// What a whole run shares is started by the process around it, at the first call.
import { inject } from 'vitest';

/** The address of the run's PostgreSQL server (its `postgres` database) or browser. */
export const sharedServerUrl = async (name: 'postgres' | 'browser'): Promise<string> => {
  const response = await fetch(new URL(name, inject('door')));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
};
