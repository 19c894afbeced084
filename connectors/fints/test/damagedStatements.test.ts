// Tests that nearly all damaged statements that lose entries cause errors. The others end or begin between two statements.
import { BankUnreachable } from '@bank-connection/connector-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMessage } from '../message.ts';
import { readPages } from '../statementPages.ts';

type Entry = { cents: number; day: number; text: string };

const toAmount = (cents: number, separator: string): string =>
  (Math.abs(cents) / 100).toFixed(2).replace('.', separator);
const twoDigits = (count: number): string => String(count).padStart(2, '0');
const markOf = (cents: number, [credit, debit]: [string, string]): string => (cents < 0 ? debit : credit);
const sumOf = (entries: Entry[]): number => entries.reduce((sum, { cents }) => sum + cents, 0);

type Style = { describe(text: string): string; parts: number; end: string };

/** One statement per part, each opening with the closing balance of the previous one. */
const writeMt940 = (entries: Entry[], { describe, parts, end }: Style): string => {
  const length = Math.ceil(entries.length / parts);
  const balance = (tag: string, cents: number) =>
    `:${tag}:${markOf(cents, ['C', 'D'])}240331EUR${toAmount(cents, ',')}`;
  return Array.from({ length: parts }, (_, part) => {
    const [before, its] = [
      entries.slice(0, part * length),
      entries.slice(part * length, (part + 1) * length),
    ];
    const opening = 100_000 + sumOf(before);
    const lines = its.flatMap(({ cents, day, text }) => [
      `:61:2403${twoDigits(day)}03${twoDigits(day)}${markOf(cents, ['C', 'D'])}R${toAmount(cents, ',')}NTRFNONREF`,
      `:86:${describe(text)}`,
    ]);
    return [
      ...[':20:STARTUMSE', ':25:10020030/1234567', `:28C:${part + 1}/1`],
      ...[balance(part === 0 ? '60F' : '60M', opening), ...lines],
      ...[balance(part === parts - 1 ? '62F' : '62M', opening + sumOf(its)), end],
    ].join('\r\n');
  }).join('\r\n');
};

const german = (text: string): string =>
  `177?00UEBERWEISUNG?20EREF+${text.length}?21SVWZ+${text}\r\n?30COBADEFFXXX?31DE02?32Erika Muster`;

const writeCamt = (entries: Entry[]): string => {
  const amount = (cents: number) =>
    `<Amt Ccy="EUR">${toAmount(cents, '.')}</Amt><CdtDbtInd>${markOf(cents, ['CRDT', 'DBIT'])}</CdtDbtInd>`;
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}<Dt><Dt>2024-03-31</Dt></Dt></Bal>`;
  const lines = entries.map(
    ({ cents, day, text }) => `<Ntry>${amount(cents)}<Sts>BOOK</Sts>
<BookgDt><Dt>2024-03-${twoDigits(day)}</Dt></BookgDt>
<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt><GrpHdr><MsgId>1</MsgId></GrpHdr><Rpt>
${balance('PRCD', 100_000)}
${balance('CLBD', 100_000 + sumOf(entries))}
${lines.join('\n')}
</Rpt></BkToCstmrAcctRpt></Document>`;
};

type Written = { segId: 'HKKAZ' | 'HKCAZ'; text: string };

const writers: ((entries: Entry[]) => Written)[] = [
  (entries) => ({ segId: 'HKKAZ', text: writeMt940(entries, { describe: german, parts: 1, end: '-' }) }),
  (entries) => ({ segId: 'HKKAZ', text: writeMt940(entries, { describe: german, parts: 3, end: '-' }) }),
  (entries) => ({
    segId: 'HKKAZ',
    text: writeMt940(entries, { describe: (text) => text, parts: 2, end: '' }),
  }),
  (entries) => ({ segId: 'HKCAZ', text: writeCamt(entries) }),
];

const entry = fc.record({
  cents: fc.integer({ min: -900_000, max: 900_000 }).filter((cents) => cents !== 0),
  day: fc.integer({ min: 1, max: 31 }),
  text: fc.string({ unit: fc.constantFrom(...'ADKadk 019.'), maxLength: 50 }).map((text) => `Von ${text} an`),
});
const written = fc
  .tuple(fc.constantFrom(...writers), fc.array(entry, { minLength: 3, maxLength: 12 }))
  .map(([write, entries]) => ({ ...write(entries), count: entries.length }));

type Damage = (text: string, at: number, put: string) => string;

/** Damage to characters and to lines. `at` is any position in the text. */
const damages: Damage[] = [
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at + 40),
  (text, at) => text.slice(0, at) + text.slice(at + 400),
  (text, at, put) => text.slice(0, at) + put + text.slice(at + 1),
  (text, at, put) => text.slice(0, at) + put + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/\r?\n/, ''),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/\r?\n[^\n]*(?=\n)/, ''),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/(\n[^\n]*)(\n[^\n]*)/, '$2$1'),
];

const damaged = fc
  .tuple(
    written,
    fc.constantFrom(...damages),
    fc.noBias(fc.integer({ min: 1, max: 999 })),
    fc.constantFrom(...':-?+/,CDR 0a<>'),
  )
  .map(([{ text, ...rest }, damage, where, put]) => ({
    ...{ ...rest, text: damage(text, Math.floor((where * text.length) / 1000), put) },
  }));

const countEntries = async ({ segId, text }: Written): Promise<number> => {
  const element = `@${text.length}@${text}`;
  const segment = segId === 'HKCAZ' ? `HICAZ:4:1:3+DE02+camt+${element}` : `HIKAZ:4:7:3+${element}`;
  const page = parseMessage(Buffer.from(`HNHBK:1:3+000000000000+300+D+1'${segment}'HNHBS:5:1+1'`, 'latin1'));
  const make = () => {
    throw new Error('Nothing is ordered.');
  };
  return (await readPages({ segId, storedDays: undefined, make }, [page])).length;
};

test('a statement that is not damaged is read whole', async () => {
  const isRead = fc.asyncProperty(written, async ({ count, ...whole }) => {
    expect(await countEntries(whole)).toBe(count);
  });
  await fc.assert(isRead);
});

test('of 2,000 damages of statements at most 20 lose entries without an error', async () => {
  const losesEntries = async ({ count, ...statement }: Written & { count: number }): Promise<boolean> => {
    try {
      return (await countEntries(statement)) < count;
    } catch (error) {
      expect(error).toBeInstanceOf(BankUnreachable);
      return false;
    }
  };
  const silent = await Promise.all(fc.sample(damaged, { numRuns: 2000, seed: 20240331 }).map(losesEntries));
  expect(silent.filter(Boolean).length).toBeLessThanOrEqual(20);
});
