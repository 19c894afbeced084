// npm run release: publishes the packages whose version npm does not have, and tags them. --dry-run does everything but the
// upload: it checks the versions, the changelog and the tags, packs the packages, lists their files, lets npm check each tarball,
// and builds the image, which --without-image skips.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');

export type Manifest = { name: string; version: string; dependencies?: Record<string, string> };
type Release = { manifests: Manifest[]; changelog: string; tags: string[] };

/** One sentence for each reason not to release. */
export const findProblems = ({ manifests, changelog, tags }: Release): string[] => {
  const { version } = manifests[0]!;
  const title = changelog.match(/^## .*/gm)?.find((heading) => heading.split(' ')[1] === version);
  return [
    ...manifests
      .filter((other) => other.version !== version)
      .map(
        (other) => `${other.name} has the version ${other.version}, ${manifests[0]!.name} has ${version}.`,
      ),
    ...manifests.flatMap(({ name, dependencies = {} }) =>
      Object.entries(dependencies)
        .filter(([needed, range]) => needed.startsWith('@bank-connection/') && range !== `^${version}`)
        .map(([needed, range]) => `${name} needs ${needed} ${range} instead of ^${version}.`),
    ),
    ...(title ? [] : [`CHANGELOG.md has no heading "## ${version}".`]),
    ...tags
      .filter((tag) => tag === `v${version}` || tag.endsWith(`@${version}`))
      .map((tag) => `The tag ${tag} exists.`),
  ];
};

type Packed = Manifest & {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; size: number }[];
};

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 });
const runVisibly = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { cwd: root, stdio: 'inherit' });

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(12);

const show = ({ name, version, size, unpackedSize, files }: Packed): void => {
  console.log(`\n${name} ${version}: ${files.length} files`);
  console.log(`${kilobytes(size)}  packed\n${kilobytes(unpackedSize)}  unpacked, of which:`);
  for (const file of files) console.log(`${kilobytes(file.size)}  ${file.path}`);
};

const rehearse = ({ withImage }: { withImage: boolean }): void => {
  const packed: Packed[] = JSON.parse(run('npm', 'run', '-s', 'pack', '--', '--json'));
  const published = packed.map((one): Manifest => {
    show(one);
    const tarball = join('dist/packages', one.filename);
    run('npm', 'publish', '--dry-run', '--loglevel=warn', tarball);
    return JSON.parse(run('tar', '-xzOf', tarball, 'package/package.json'));
  });
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const changelog = read('CHANGELOG.md');
  const problems = findProblems({
    manifests: [JSON.parse(read('package.json')), ...published],
    changelog,
    tags: run('git', 'tag').split('\n'),
  });
  console.log('');
  for (const problem of problems) console.error(problem);
  if (/^## .*\(unreleased\)/m.test(changelog))
    console.log('CHANGELOG.md still needs the date of the release.');
  if (!withImage) console.log('The image was not built: --without-image.');
  else if (spawnSync('mmdebstrap', ['--version']).error)
    console.log('The image was not built: install mmdebstrap.');
  else runVisibly(process.execPath, 'deploy/image/build.ts');
  console.log(
    problems.length === 0 ? `${packed.length} packages can be published.` : 'Nothing can be published.',
  );
  if (problems.length > 0) process.exitCode = 1;
};

if (import.meta.main) {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, 'without-image': { type: 'boolean' } },
  });
  runVisibly('npm', 'run', '-s', 'build');
  if (values['dry-run']) rehearse({ withImage: !values['without-image'] });
  else runVisibly(join(root, 'node_modules/.bin/changeset'), 'publish');
}
