// Assembles the service for an image: the npm package in /service with its dependencies, and `bank-connection` in the PATH. After
// `npm run build`, `node deploy/image/service.ts DIR` does this for this machine's architecture.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

type LockedPackage = {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
  /** True for a workspace, whose folder is `resolved`. */
  link?: boolean;
  integrity?: string;
};

export const lockedPackages: Record<string, LockedPackage> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;

/** The packages needed to serve, by folder. A nested package has its own entry. */
export const productionPackages = (): [folder: string, locked: LockedPackage][] =>
  Object.entries(lockedPackages).filter(
    ([folder, { dev, optional, devOptional }]) =>
      folder.startsWith('node_modules/') && !dev && !optional && !devOptional,
  );

/** Not needed at run time: sources of native modules, types, source maps and texts. Licenses stay. */
const unused = [
  /\/better-sqlite3\/(deps|src)\b/,
  /\.(map|d\.[cm]?ts|cc|gyp)$/,
  /\/(?!licen[cs]e|notice|copying)[^/]*\.md$/i,
];

export type Architecture = 'x64' | 'arm64';

/** Owned by the image's user. /secrets and /serving-secrets are for installations with a separate worker. */
export const volumes = ['data', 'secrets', 'serving-secrets'];

const isKept = (path: string, architecture: Architecture): boolean => {
  const platform = /\/prebuilds\/([^/.]+)/.exec(path)?.[1];
  if (platform && platform !== `linux-${architecture}`) return false;
  return !unused.some((pattern) => pattern.test(path));
};

export const assembleService = (target: string, architecture: Architecture): void => {
  cpSync(join(root, 'server/dist'), join(target, 'service'), { recursive: true });
  for (const [folder, { link }] of productionPackages()) {
    if (link || folder.includes('node_modules/@types/')) continue;
    const [from, to] = [join(root, folder), join(target, 'service', folder)];
    const filter = (path: string): boolean =>
      !path.slice(from.length).includes('/node_modules') && isKept(path.slice(root.length), architecture);
    cpSync(from, to, { recursive: true, filter });
  }
  mkdirSync(join(target, 'usr/bin'), { recursive: true });
  const program = "#!/usr/bin/node\nimport('/service/src/main.js');\n";
  writeFileSync(join(target, 'usr/bin/bank-connection'), program, { mode: 0o755 });
};

if (import.meta.main) {
  const [target = ''] = process.argv.slice(2);
  assembleService(target, process.arch as Architecture);
  console.log(`${globSync('**/*', { cwd: target }).length} files in ${target}`);
}
