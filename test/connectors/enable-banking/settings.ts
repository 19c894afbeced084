// The settings of a service that uses the fake provider.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FakeProvider } from '../../../connectors/enable-banking/test/fakeProvider/provider.ts';

const writeKey = ({ privateKey }: FakeProvider): string => {
  const directory = mkdtempSync(join(tmpdir(), 'enable-banking-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
};

/** Applies the settings for the duration of a test. */
export const settingsOf = (provider: FakeProvider): Record<string, string> => ({
  ...{ CONNECTORS: 'enable-banking', ENABLE_BANKING_URL: provider.url },
  ENABLE_BANKING_APPLICATION: provider.application.kid,
  ENABLE_BANKING_KEY_FILE: writeKey(provider),
});
