// The test bank's transactions: the recorded ones as MT940, the same ones composed as camt.052 with an additional pending one,
// and those of a card. They move with the bank's day; on the day of the recording, they are as recorded.

type Range = { from: string; to: string };
const isIn = (date: string, { from, to }: Range): boolean => date >= from && date <= to;

const recordedOn = '2019-09-22';

const move = (date: string, today: string): string =>
  new Date(Date.parse(date) + Date.parse(today) - Date.parse(recordedOn)).toISOString().slice(0, 10);

const short = (date: string): string => date.replaceAll('-', '').slice(2);

/** Moves the entries of a statement. */
export const moveMt940 = (text: string, today: string): string =>
  text.replace(
    /(?<=\r\n:61:)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/g,
    (_, year, month, day, entryMonth, entryDay) => {
      const valueDate = move(`20${year}-${month}-${day}`, today);
      const entryDate = move(`20${year}-${entryMonth}-${entryDay}`, today);
      return short(valueDate) + short(entryDate).slice(2);
    },
  );

/** True if the bank has an entry on these days. */
export const hasEntry = (range: Range, today: string): boolean =>
  booked.some(({ date }) => isIn(move(date, today), range));

/** Drops entries whose entry date is outside the range, with their descriptions. */
export const filterMt940 = (text: string, range: Range): string => {
  let isKept = true;
  return text
    .split(/(?=\r\n:|\r\n-)/)
    .filter((field) => {
      const [, year, month, day] = /^\r\n:61:(\d\d)\d{4}(\d\d)(\d\d)/.exec(field) ?? [];
      if (year !== undefined) isKept = isIn(`20${year}-${month}-${day}`, range);
      else if (!field.startsWith('\r\n:86:')) isKept = true;
      return isKept;
    })
    .join('');
};

/** Cents from `1234,56`. */
const toCents = (amount: string): number => Number(amount.replace(',', ''));
const fromCents = (cents: number): string =>
  `${String(Math.trunc(cents / 100))},${String(cents % 100).padStart(2, '0')}`;

/** Replaces the balances, from the first page on: those of sanitized and filtered pages do not add up. */
export const balanceMt940 = (pages: readonly string[]): string[] => {
  let cents: number | undefined;
  return pages.map((page) =>
    page.replace(
      /(?<=\r\n:)(61:\d{10}(?<mark>[CD])R(?<amount>[\d,]+)|6[02]F:C\d{6}EUR(?<balance>[\d,]+))/g,
      (field, ...rest) => {
        const { mark, amount, balance } = rest.at(-1) as Record<string, string | undefined>;
        if (amount !== undefined) cents = cents! + (mark === 'D' ? -1 : 1) * toCents(amount);
        if (balance === undefined) return field;
        cents ??= toCents(balance);
        return field.replace(balance, fromCents(cents));
      },
    ),
  );
};

type CamtEntry = {
  date: string;
  valueDate: string;
  amount: string;
  mark: 'CRDT' | 'DBIT';
  status: 'BOOK' | 'PDNG';
  name: string;
  text: string;
};

const booked: CamtEntry[] = [
  {
    ...{ date: '2019-09-04', valueDate: '2019-09-03', amount: '12.00', mark: 'DBIT', status: 'BOOK' },
    ...{ name: 'EMPFAENGER ABCDE', text: 'Überweisung & mehr' },
  },
  {
    ...{ date: '2019-09-14', valueDate: '2019-09-13', amount: '123.45', mark: 'CRDT', status: 'BOOK' },
    ...{ name: 'Sender Name1', text: 'Irgendein Käse' },
  },
];
const pending: CamtEntry = {
  ...{ date: '2019-09-21', valueDate: '2019-09-21', amount: '3.10', mark: 'DBIT', status: 'PDNG' },
  ...{ name: 'BAECKEREI', text: 'Brot' },
};

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const camtDocument = ({ date, valueDate, amount, mark, status, name, text }: CamtEntry): string => {
  const party = mark === 'DBIT' ? 'Cdtr' : 'Dbtr';
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2019-09-22T08:00:00.0+02:00</CreDtTm></GrpHdr>
<Rpt><Id>1</Id><CreDtTm>2019-09-22T08:00:00.0+02:00</CreDtTm><Acct><Id><IBAN>DE00120300001234567890</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${valueDate}</Dt></ValDt><BkTxCd/>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><${party}><Nm>${escapeXml(name)}</Nm></${party}></RltdPties>
<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Rpt></BkToCstmrAcctRpt></Document>`;
  // The bank sends UTF-8; the message has one character per byte.
  const bytes = Buffer.from(xml).toString('latin1');
  return `@${bytes.length}@${bytes}`;
};

/** HICAZ segments with these numbers of booked entries; the last one also has a pending entry. */
export const camtPages = (range: Range, today: string, counts: readonly number[]): string[] => {
  const documents = (entries: CamtEntry[]): string =>
    entries
      .map((entry) => ({
        ...entry,
        date: move(entry.date, today),
        valueDate: move(entry.valueDate, today),
      }))
      .filter(({ date }) => isIn(date, range))
      .map(camtDocument)
      .join(':');
  const head = `HICAZ:5:1:3+DE00120300001234567890:BYLADEM1001:1234567890::280:12030000+urn?:iso?:std?:iso?:20022?:tech?:xsd?:camt.052.001.02`;
  let start = 0;
  return counts.map((count) => {
    const entries = booked.slice(start, start + count);
    start += count;
    if (count === 0) return `${head}+@0@'`;
    const isLast = start === booked.length;
    return `${head}+${documents(entries)}${isLast ? `+${documents([pending])}` : ''}'`;
  });
};

const cardTransactions = [
  { date: '2019-08-30', amount: '1.234,5', text: 'HOTEL ADLON:BERLIN' },
  { date: '2019-09-10', amount: '49,99', text: 'STREAMING' },
];

/** DIKKU, from a given day on. */
export const cardSegment = (number: string, from: string, today: string): string => {
  const rows = cardTransactions
    .map((transaction) => ({ ...transaction, date: move(transaction.date, today) }))
    .filter(({ date }) => date >= from)
    .map(({ date, amount, text }) => {
      const day = date.replaceAll('-', '');
      return `+${number}:${day}:${day}::${amount}:EUR:D:1,:${amount.replace('.', '')}:EUR:D:${text}:J`;
    });
  return `DIKKU:5:2:3+${number}++C:50,25:EUR:${move('2019-09-20', today).replaceAll('-', '')}+++${rows.join('').slice(1)}'`;
};
