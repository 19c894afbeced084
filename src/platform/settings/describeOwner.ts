// Whose a file or a directory is, for errors about one that this process may not use.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A sentence, with a space before it, where the path, or what there is of it, belongs to another user, and what to do;
 * otherwise empty.
 */
export const describeOwner = (path: string): string => {
  const own = process.getuid?.();
  // Nothing can be said of what is in a directory that this process may not search.
  if (!existsSync(path)) return dirname(path) === path ? '' : describeOwner(dirname(path));
  const { uid } = statSync(path);
  if (own === undefined || uid === own) return '';
  return ` ${path} belongs to the user with the id ${uid}, and this process runs as ${own}: start it as that user, or let this one read and write there.`;
};
