// The environment in which npm reaches the registry of this machine, although the tests run on a different Node.
import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { programEnv } from './environment.ts';

const folders = (process.env.PATH ?? '').split(delimiter);
/** The PATH without the programs of this repository. */
export const hostPath = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);

/** npm's settings, such as its registry, are in the home directory and next to the Node.js of this machine. */
export const makeNpmEnv = (): NodeJS.ProcessEnv => {
  const env = { ...programEnv, HOME: process.env.HOME, PATH: hostPath };
  const globalconfig = execFileSync('npm', ['config', 'get', 'globalconfig'], { env, cwd: '/' });
  return { ...env, npm_config_globalconfig: globalconfig.toString().trim() };
};
