// Reads the deployment files: compose.yaml and deploy/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeyOf, secretNames } from '../../src/operations/secrets/names.ts';
import { parseAllYaml, parseYaml } from '../support/yaml.ts';

const root = join(import.meta.dirname, '../..');

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export const readCompose = () => parseYaml(readText('compose.yaml'));

export const kubernetesFiles = readdirSync(join(root, 'deploy/kubernetes'));

/** All resources of deploy/kubernetes, without the kustomization. */
export const readResources = () =>
  kubernetesFiles
    .flatMap((file) => parseAllYaml(readText(`deploy/kubernetes/${file}`)))
    .filter(({ kind }) => kind !== 'Kustomization');

/** The settings of a unit by name, each with its values in order. */
export const readUnit = (name: string): Map<string, string[]> => {
  const settings = new Map<string, string[]>();
  for (const [, key, value] of readText(`deploy/systemd/${name}.service`).matchAll(/^([A-Z]\w+)=(.*)$/gm))
    settings.set(key!, [...(settings.get(key!) ?? []), value!]);
  return settings;
};

/** The names of environment variables that a text sets. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[ =])([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!);

const versionsOf = (name: string): string[] => [name, `${name}.${'0'.repeat(32)}`];

/** The files of all secrets, each with a rotated version. */
export const secretFiles = secretNames.flatMap((name) => [
  ...versionsOf(name),
  ...(publicKeyOf[name] ? versionsOf(name).map((file) => `${file}.pub`) : []),
]);

/** The files that `serve --no-worker` may have, without the private halves of key pairs. */
export const servingFiles = secretFiles.filter((file) => {
  const name = secretNames.find((one) => file === one || file.startsWith(`${one}.`))!;
  return !publicKeyOf[name] || file.endsWith('.pub');
});
