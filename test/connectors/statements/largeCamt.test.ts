// Limits the memory and the event-loop time that reading a large camt document takes.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseCamt } from '../../../connectors/statements/index.ts';
import { collectGarbage } from '../../support/collectGarbage.ts';

const bytes = 16 * 2 ** 20;

const payment = `<TxDtls>
  <Refs><EndToEndId>an end-to-end id of some length</EndToEndId></Refs>
  <RltdPties><Cdtr><Nm>Bakery &amp; Son</Nm></Cdtr><CdtrAcct><Id><Othr><Id>1</Id></Othr></Id></CdtrAcct></RltdPties>
  <RmtInf><Ustrd>Bread and rolls of a whole week</Ustrd><Ustrd>and cakes</Ustrd></RmtInf>
</TxDtls>
`;
const entryOf = (payments: string): string => `<Ntry>
  <Amt Ccy="EUR">12.30</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
  <BookgDt><Dt>2019-09-04</Dt></BookgDt><NtryDtls>${payments}</NtryDtls>
</Ntry>
`;
const fill = (part: string): string => part.repeat(bytes / part.length);

/** The largest growth of this process's memory in bytes, and its longest pause and total time in milliseconds. */
const measure = async (read: () => Promise<unknown>) => {
  collectGarbage();
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = used();
  let largest = before;
  const looks = setInterval(() => {
    largest = Math.max(largest, used());
  }, 5);
  const pauses = monitorEventLoopDelay({ resolution: 1 });
  pauses.enable();
  await sleep(20);
  const start = performance.now();
  await read();
  const time = performance.now() - start;
  largest = Math.max(largest, used());
  await sleep(20);
  pauses.disable();
  clearInterval(looks);
  return { growth: largest - before, longestPause: pauses.max / 1e6, time };
};

test.each([
  ['many entries', fill(entryOf(payment))],
  ['one entry of many payments', entryOf(fill(payment))],
])('a document of %s takes at most four times its size, and yields repeatedly', async (_, entries) => {
  // Makes the text one contiguous string, like the output of a decoder.
  const content = `<Document><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`;
  const xml = Buffer.from(content).toString();
  const { growth, longestPause, time } = await measure(async () => {
    const [statement] = await parseCamt(xml);
    expect(statement!.entries[0]).toMatchObject({ amount: '-12.30' });
  });
  expect(growth).toBeLessThan(4 * xml.length);
  // Without yielding, the longest pause would be the total time.
  expect(longestPause).toBeLessThan(time / 2);
});
