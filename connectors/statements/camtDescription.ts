// What an entry of a camt document is about. An entry may stand for many payments; it stays one entry, because it is what
// changes the balance.
import { collapse, firstReference } from './statement.ts';
import { nodesAt, textAt, textsAt, type XmlNode } from './xml.ts';

type Description = { description: string; reference: string };

export const describeCamtEntry = (entry: XmlNode): Description => {
  // Version 1 has the payments without NtryDtls.
  const payments = [...nodesAt(entry, 'NtryDtls', 'TxDtls'), ...nodesAt(entry, 'TxDtls')];
  const isCredit = textAt(entry, 'CdtDbtInd') === 'CRDT';
  const [first, ...others] = payments;
  const information = collapse(textAt(entry, 'AddtlNtryInf') ?? '');
  if (!first) return { description: information, reference: '' };
  const description =
    others.length === 0 ? describePayment(first, isCredit) : describeBatch(payments, isCredit);
  const reference = others.length === 0 ? firstReference(textAt(first, 'Refs', 'EndToEndId')) : '';
  return { description: description || information || reference, reference };
};

/** Who the other party is, and for what. */
const describePayment = (payment: XmlNode, isCredit: boolean): string =>
  collapse([findParty(payment, isCredit), findRemittance(payment)].join(' ')) ||
  collapse(textAt(payment, 'AddtlTxInf') ?? '');

const findParty = (payment: XmlNode, isCredit: boolean): string => {
  for (const role of isCredit ? ['Dbtr', 'UltmtDbtr'] : ['Cdtr', 'UltmtCdtr']) {
    const name = textAt(payment, 'RltdPties', role, 'Nm') ?? textAt(payment, 'RltdPties', role, 'Pty', 'Nm');
    if (name !== undefined) return name;
  }
  return '';
};

const findRemittance = (payment: XmlNode): string =>
  textsAt(payment, 'RmtInf', 'Ustrd').join(' ') ||
  (textAt(payment, 'RmtInf', 'Strd', 'CdtrRefInf', 'CdtrRef') ??
    textAt(payment, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref') ??
    '');

/** What all payments have in common, else how many they are. */
const describeBatch = (payments: readonly XmlNode[], isCredit: boolean): string => {
  const common = (texts: string[]): string => (new Set(texts).size === 1 ? texts[0]! : '');
  const party = common(payments.map((payment) => findParty(payment, isCredit)));
  const remittance = common(payments.map(findRemittance));
  return collapse(`${party} ${remittance}`) || `${payments.length} payments`;
};
