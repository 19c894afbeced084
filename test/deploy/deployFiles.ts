// Reads what deploys the service: compose.yaml and the files of deploy/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export const readCompose = () => parse(readText('compose.yaml'), { merge: true });
