// Filters the caller's environment variables for the tests and the programs that they start.
import { temporaryRoot } from './temporaryRoot.ts';

/** Variables of the user, the terminal and the tests, and those that change how any program loads or reads the clock. */
const kept = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LC_.*|TZ|CI)$/,
  /^(TEST_.*|FUZZ_.*|VITEST.*|CHROME_PATH|SCREENSHOTS|CAPTURE_STATEMENTS|WRITE_OUTCOMES|BERKA_CSV)$/,
  /^(TMPDIR|NODE_COMPILE_CACHE|NODE_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|FAKETIME.*)$/,
];

/** Removes all other variables, such as settings of a service, of npm or of a proxy, and sets TMPDIR. */
export const cleanEnvironment = (): void => {
  for (const name of Object.keys(process.env))
    if (!kept.some((pattern) => pattern.test(name))) delete process.env[name];
  process.env.TMPDIR = temporaryRoot();
};

/** For a program that must not see the tests' settings: only the variables for finding programs and for the clock. */
export const programEnv: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(PATH|NODE_COMPILE_CACHE|LD_PRELOAD|FAKETIME.*|TZ)$/.test(name),
  ),
);
