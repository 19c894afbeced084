// Builds the image as an OCI layout in dist/image, for amd64 and arm64: Debian's C libraries, Node.js, and the service, without a
// shell or a package manager. Needs Debian's mmdebstrap, and Debian's and npm's registries. Arguments select architectures. The
// same commit, Debian packages and Node.js produce the same digests.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Architecture, assembleService, lockedPackages, root, volumes } from './service.ts';

const layout = join(root, 'dist/image');
const suite = 'trixie';
const debianPackages = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** The files kept from these packages: licenses and the libraries that Node.js loads, including those that resolve host names. */
const kept = [
  '{bin,sbin,lib,lib64}',
  'etc/{os-release,debian_version}',
  'usr/lib/os-release',
  'usr/lib{,64}/ld-linux*',
  'usr/lib/*/{ld-linux*,lib{c,m,dl,pthread,rt,resolv,nss_dns,nss_files,gcc_s,stdc++}.so*}',
  'usr/share/doc/*/copyright',
  'usr/share/common-licenses/*',
];
const files = {
  'etc/passwd': 'root:x:0:0:root:/:/sbin/nologin\nservice:x:1000:1000:service:/:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nservice:x:1000:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

const platforms: Record<string, Architecture> = { amd64: 'x64', arm64: 'arm64' };

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 20, stdio: ['ignore', 'pipe', 'inherit'] });

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const buildBase = (target: string, platform: string, work: string): void => {
  const debian = join(work, 'debian');
  const skip = platform === 'arm64' ? ['--skip=check/qemu'] : [];
  const options = ['--quiet', '--variant=extract', `--architectures=${platform}`, ...skip];
  // The packages are the only record of the installation, because `extract` leaves dpkg's status empty.
  const keep = '--extract-hook=cp -r "$1/var/cache/apt/archives" "$1/packages"';
  run('mmdebstrap', ...options, keep, `--include=${debianPackages.join(',')}`, suite, debian);
  for (const path of globSync(kept, { cwd: debian }))
    cpSync(join(debian, path), join(target, path), { verbatimSymlinks: true, recursive: true });
  for (const file of globSync(join(debian, 'packages/*.deb')))
    write(join(target, 'var/lib/dpkg/status.d', basename(file).split('_')[0]!), run('dpkg-deb', '-f', file));
  for (const [file, text] of Object.entries(files)) write(join(target, file), text);
  for (const folder of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(join(target, folder));
};

/** The folder of npm's package for this architecture: the installed one, or a download whose checksum is in package-lock.json. */
const findNode = (name: string, work: string): string => {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = `${name}@${manifest.optionalDependencies[name]}`;
  const [packed] = JSON.parse(run('npm', 'pack', '--json', '--pack-destination', work, wanted));
  const tarball = join(work, packed.filename);
  const checksum = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${checksum}` !== lockedPackages[`node_modules/${name}`]!.integrity)
    throw new Error(`${wanted} is not the package of package-lock.json.`);
  run('tar', '-xzf', tarball, '-C', work);
  return join(work, 'package');
};

const buildNode = (target: string, architecture: Architecture, work: string): void => {
  const from = findNode(`node-linux-${architecture}`, work);
  for (const folder of ['usr/bin', 'usr/share/doc/nodejs'])
    mkdirSync(join(target, folder), { recursive: true });
  cpSync(join(from, 'bin/node'), join(target, 'usr/bin/node'));
  cpSync(join(from, 'LICENSE'), join(target, 'usr/share/doc/nodejs/copyright'));
};

type Descriptor = { mediaType: string; digest: string; size: number };

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

const addBlob = (kind: string, data: Buffer | string): Descriptor => {
  const hash = sha256(data);
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  writeFileSync(join(layout, 'blobs/sha256', hash), data);
  const mediaType = `application/vnd.oci.image.${kind}`;
  return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(data) };
};

const addJson = (kind: string, value: object): Descriptor => addBlob(kind, JSON.stringify(value));

/** A layer, with the digest of its content. Root owns everything except the volumes. */
const addLayer = (folder: string, seconds: string): { layer: Descriptor; content: string } => {
  const archive = `${folder}.tar`;
  const always = ['--sort=name', '--numeric-owner', `--mtime=@${seconds}`, '--format=gnu'];
  run('tar', '-cf', archive, ...always, '--owner=0', '--group=0', '--mode=u+w,go-w,a+rX', '-C', folder, '.');
  if (basename(folder) === 'base') {
    const owned = join(folder, '../owned');
    for (const volume of volumes) mkdirSync(join(owned, volume), { recursive: true });
    const owner = ['--owner=1000', '--group=1000', '--mode=0700'];
    run('tar', '-rf', archive, ...always, ...owner, '-C', owned, ...volumes);
  }
  const content = readFileSync(archive);
  return { layer: addBlob('layer.v1.tar+gzip', gzipSync(content, { level: 9 })), content: sha256(content) };
};

const git = (...args: string[]): string => run('git', '-C', root, ...args).trim();

const buildImage = (platform: string): Descriptor => {
  const architecture = platforms[platform];
  if (!architecture) throw new Error(`There is no image for ${platform}.`);
  const work = mkdtempSync(join(tmpdir(), 'image-'));
  const stage = (name: string): string => {
    mkdirSync(join(work, name));
    return join(work, name);
  };
  const [base, node, service] = [stage('base'), stage('node'), stage('service')];
  buildBase(base, platform, work);
  buildNode(node, architecture, work);
  assembleService(service, architecture);
  const seconds = git('log', '-1', '--format=%ct');
  const created = new Date(Number(seconds) * 1000).toISOString();
  const layers = [base, node, service].map((folder) => addLayer(folder, seconds));
  const manifest: Record<string, string> = JSON.parse(
    readFileSync(join(root, 'server/package.json'), 'utf8'),
  );
  const label = (name: string, value: string) => [`org.opencontainers.image.${name}`, value];
  const config = {
    ...{ created, architecture: platform, os: 'linux' },
    config: {
      User: '1000:1000',
      WorkingDir: '/service',
      Entrypoint: ['bank-connection'],
      Cmd: ['serve'],
      Env: ['PATH=/usr/bin', 'NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=3000', 'DATA_DIR=/data'],
      Volumes: { '/data': {} },
      ExposedPorts: { '3000/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: Object.fromEntries([
        label('title', 'Bank Connection Data Service'),
        label('source', 'https://github.com/bank-connection/bank-connection-data-service'),
        label('version', manifest.version!),
        label('revision', git('rev-parse', 'HEAD')),
        label('licenses', manifest.license!),
      ]),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ content }) => `sha256:${content}`) },
    history: ['base', 'node', 'service'].map((name) => ({ created, created_by: name })),
  };
  const onDisk = globSync(`{${base},${node},${service}}/**`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const toPull = layers.reduce((sum, { layer }) => sum + layer.size, 0);
  console.log(
    `${platform}: ${(onDisk / 2 ** 20).toFixed(1)} MiB on disk, ${(toPull / 1e6).toFixed(1)} MB to pull`,
  );
  rmSync(work, { recursive: true });
  return {
    ...addJson('manifest.v1+json', {
      ...{ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
      config: addJson('config.v1+json', config),
      layers: layers.map(({ layer }) => layer),
    }),
    ...{ platform: { architecture: platform, os: 'linux' } },
  };
};

run(process.execPath, join(root, 'scripts/build.ts'));
rmSync(layout, { recursive: true, force: true });
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(platforms);
const manifests = chosen.map(buildImage);
const named = (descriptor: Descriptor, name: string): object => ({
  ...descriptor,
  annotations: { 'org.opencontainers.image.ref.name': name },
});
const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json' };
const all = addJson('index.v1+json', { ...index, manifests });
const entries = [named(all, 'latest'), ...manifests.map((one, at) => named(one, chosen[at]!))];
write(join(layout, 'index.json'), JSON.stringify({ ...index, manifests: entries }));
write(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
