// A service whose setting CONNECTORS contains FinTS, with the test bank in its list of banks.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productId, startTestBank, type TestBank } from '../../../connectors/fints/test/testBank.ts';

export type ListedBank = { bank: TestBank; env: Record<string, string>; close(): Promise<void> };

const names: Record<string, string> = { dkb: 'Deutsche Kreditbank', 'dkb-camt': 'Kreditbank with camt' };

/** The test bank as of today, and the settings that add it to a service. */
export const startListedBank = async (): Promise<ListedBank> => {
  const bank = await startTestBank();
  bank.today = new Date().toISOString().slice(0, 10);
  const directory = mkdtempSync(join(tmpdir(), 'fints-banks-'));
  const list = join(directory, 'banks.json');
  const banks = Object.entries(names).map(([id, name]) => ({
    ...{ id, name, bankCode: '12030000', country: 'DE', url: bank.url(id) },
  }));
  writeFileSync(list, JSON.stringify(banks));
  return {
    bank,
    env: { CONNECTORS: 'fints', FINTS_PRODUCT_ID: productId, FINTS_BANKS: list },
    close: async () => {
      rmSync(directory, { recursive: true });
      await bank.close();
    },
  };
};
