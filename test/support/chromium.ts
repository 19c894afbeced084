// The browser for the tests: the one from the npm package, which is unpacked once per installation, or the one at CHROME_PATH.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);

/** The browser's executable and the environment variables that it needs. */
type Chromium = { executablePath: string; env: Record<string, string> };

/**
 * Replaces the list of Playwright, which also disables ThirdPartyStoragePartitioning. Without that, Chromium in a private context
 * denies the widget's frame its session storage, which users' browsers allow.
 */
const disabledFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding', 'OptimizationHints'],
  ...[
    'AvoidCorsURLLoaderRestartOnRedirect',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
  ],
];

/** Starts the browser of a test run. Takes half a second. */
export const startBrowser = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const { executablePath, env } = await findChromium();
  const server = await chromium.launchServer({
    host: '127.0.0.1',
    executablePath,
    env: { ...process.env, ...env },
    args: [
      // Only the tested pages may use the network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      '--no-pings',
      // Fewer drawing threads. With `--in-process-gpu`, one start in ten crashes, because the GPU thread changes
      // environment variables while other threads read them.
      '--disable-gpu-rasterization',
      '--num-raster-threads=1',
      '--font-render-hinting=none',
      `--disable-features=${disabledFeatures.join(',')}`,
      // A separate process for each cross-site frame, as in users' browsers, takes a seventh of the time of all browser tests.
      ...(process.env.TEST_ALL ? [] : ['--disable-site-isolation-trials']),
    ],
  });
  return { url: server.wsEndpoint(), stop: () => server.close() };
};

const unpackedDirectory = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url));

/** The only platform for which the package has a browser. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** True if there is a browser for the tests on this machine. */
export const hasBrowser = isPackaged || Boolean(process.env.CHROME_PATH);

export const noBrowser =
  'because there is no packaged browser for it: set CHROME_PATH to a Chrome or Chromium';

export const findChromium = (): Promise<Chromium> => {
  const configured = process.env.CHROME_PATH;
  return configured ? Promise.resolve({ executablePath: configured, env: {} }) : packagedChromium();
};

const packagedChromium = async (): Promise<Chromium> => {
  const executablePath = join(unpackedDirectory, 'chromium');
  const exists = await access(executablePath).then(
    () => true,
    () => false,
  );
  if (!exists) await unpack();
  return {
    executablePath,
    env: {
      // The package contains the libraries and fonts that a bare system lacks.
      LD_LIBRARY_PATH: join(unpackedDirectory, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(unpackedDirectory, 'fonts.conf'),
    },
  };
};

/** The package unpacks into TMPDIR file by file, so it gets its own directory, which is renamed when complete. */
const unpack = async (): Promise<void> => {
  const cache = join(unpackedDirectory, '..');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'chromium-'));
  // The package unpacks its libraries only if this variable says that it runs on AWS Lambda.
  const env = { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const program = "await (await import('@sparticuz/chromium')).default.executablePath()";
  try {
    await run(process.execPath, ['--input-type=module', '--eval', program], { env, cwd: cache });
    writeFileSync(join(directory, 'fonts.conf'), fontsConfiguration);
    renameSync(directory, unpackedDirectory);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    // Another process has unpacked it in the meantime.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
};

const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`;
