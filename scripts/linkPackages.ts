// Provides this checkout's installed packages to another checkout, which keeps its own workspaces.
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const scope = '@bank-connection';

/**
 * Creates node_modules in the checkout `to`, with a link for each package of the checkout `from`. npm links a workspace relative
 * to node_modules, so a copy of that link leads to the other checkout's own folder.
 */
export const linkPackages = (from: string, to: string): void => {
  const [source, target] = [join(from, 'node_modules'), join(to, 'node_modules')];
  mkdirSync(join(target, scope), { recursive: true });
  for (const name of readdirSync(source))
    if (name !== scope) symlinkSync(join(source, name), join(target, name));
  for (const name of readdirSync(join(source, scope))) {
    const link = readlinkSync(join(source, scope, name));
    if (existsSync(join(target, scope, link))) symlinkSync(link, join(target, scope, name));
  }
};
