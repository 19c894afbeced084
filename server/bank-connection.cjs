#!/usr/bin/env node
// Runs the service on Node 24 or newer: this Node, one from a package installed beside it, or one that npm downloads.
// Plain CommonJS, so that Node 20 can load it. The default command is serve.
const { spawn, spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { peerDependencies } = require('./package.json');

const main = join(__dirname, 'src/main.js');
if (process.argv.length === 2) process.argv.push('serve');

const packageName = Object.keys(peerDependencies).find((name) =>
  name.endsWith(`${process.platform}-${process.arch}`),
);

const installedNode = () => {
  try {
    return join(require.resolve(`${packageName}/package.json`), '../bin/node');
  } catch {
    return undefined;
  }
};

/** Runs the package's Node by npm, and returns its path, or an empty text. */
const nodeFromNpm = (option, stderr) => {
  const chosen = `--package=${packageName}@${peerDependencies[packageName]}`;
  const args = ['exec', '--yes', option, chosen, '--call=node -p process.execPath'];
  const { stdout } = spawnSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
  return stdout?.trim();
};

const downloadedNode = () => {
  console.error(`The service needs Node 24, and this is ${process.version}: npm downloads ${packageName}.`);
  return nodeFromNpm('--prefer-online', 'inherit');
};

const runOn = (node) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  process.on('SIGTERM', stop).on('SIGHUP', stop);
  // A terminal sends the signal to both processes, and a second one would end the service at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  // npx runs this file in a shell, and a signal to npx ends only the shell.
  const { ppid } = process;
  if (process.env.npm_command) setInterval(() => process.ppid === ppid || stop(), 500).unref();
  child.on('exit', (code) => process.exit(code ?? 1));
};

if (Number.parseInt(process.versions.node, 10) >= 24) import('./src/main.js');
else {
  const node = packageName && (installedNode() ?? (nodeFromNpm('--offline', 'ignore') || downloadedNode()));
  if (node) runOn(node);
  else {
    console.error(`The service needs Node 24 or newer, and this is ${process.version}.`);
    process.exitCode = 1;
  }
}
