// `lastFour` is four digits or empty, whatever a connector makes of an account's number:
// in the result of a link and in the API.
import { expect, test } from 'vitest';
import { oneDatabase } from '../support/databases.ts';
import { scriptedAccount } from '../support/scriptedConnector.ts';
import { describeLinking, readAccounts } from './fixture.ts';

const numbers: Record<string, string> = {
  'DE89 3704 0044 0532 0130 00': '3000',
  DE89370400440532013000: '3000',
  '123 456 ': '3456',
  '4000-0000\u00a00000–0093': '0093',
  '**** 4821\u200b': '4821',
  // Masked, shorter, or with letters where the digits should be.
  'DE •• 22': '',
  '****': '',
  '12•34': '',
  '093': '',
  '': '',
  MT84MALT011000012345MTLCAST001S: '',
  '١٢٣٤': '',
};

describeLinking(
  'the last four digits',
  (fixture) => {
    test('are four digits or nothing', async () => {
      const accounts = Object.keys(numbers).map((number, at) =>
        scriptedAccount({ id: `a${at}`, name: `${at}`, number }),
      );
      fixture.connector.setAccounts('numbers', accounts);
      const expected = Object.values(numbers);
      const linked = await fixture.link({ username: 'numbers' });
      expect(linked.accounts.map(({ lastFour }) => lastFour)).toEqual(expected);
      const read = await readAccounts(fixture, linked);
      expect(read.map(({ lastFour }) => lastFour)).toEqual(expected);
    });
  },
  { on: oneDatabase },
);
