// Describes the owner of a file or a directory, for errors about one that this process may not use.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** If the path, or its existing part, belongs to another user: a sentence with the remedy, after a space. Otherwise empty. */
export const describeOwner = (path: string): string => {
  const own = process.getuid?.();
  // The content of a directory is unknown if this process may not search it.
  if (!existsSync(path)) return dirname(path) === path ? '' : describeOwner(dirname(path));
  const { uid } = statSync(path);
  if (own === undefined || uid === own) return '';
  return ` ${path} belongs to the user with the id ${uid}, and this process runs as ${own}: start it as that user, or let this one read and write there.`;
};
