// Describes a camt entry. It may consist of many payments, but stays one entry, because it changes the balance once.
import { collapse, firstReference } from './statement.ts';
import { textAt, textsAt, type XmlNode } from './xml.ts';

type Description = { description: string; reference: string };

/** The texts of a payment (`TxDtls`); each may be empty. */
export type Payment = Record<'debtor' | 'creditor' | 'remittance' | 'information' | 'reference', string>;

export const toPayment = (node: XmlNode): Payment => ({
  debtor: findParty(node, ['Dbtr', 'UltmtDbtr']),
  creditor: findParty(node, ['Cdtr', 'UltmtCdtr']),
  remittance: findRemittance(node),
  information: collapse(textAt(node, 'AddtlTxInf') ?? ''),
  reference: firstReference(textAt(node, 'Refs', 'EndToEndId')),
});

const findParty = (payment: XmlNode, roles: readonly string[]): string => {
  for (const role of roles) {
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

/** The counterparty and the remittance information shared by all payments, else the number of payments. */
export const describeCamtEntry = (entry: XmlNode, payments: readonly Payment[]): Description => {
  const information = collapse(textAt(entry, 'AddtlNtryInf') ?? '');
  const [first, ...others] = payments;
  if (!first) return { description: information, reference: '' };
  const common = (key: keyof Payment): string =>
    others.every((payment) => payment[key] === first[key]) ? first[key] : '';
  const otherParty = textAt(entry, 'CdtDbtInd') === 'CRDT' ? 'debtor' : 'creditor';
  const isBatch = others.length > 0;
  const description =
    collapse(`${common(otherParty)} ${common('remittance')}`) ||
    (isBatch ? `${payments.length} payments` : first.information);
  const reference = isBatch ? '' : first.reference;
  return { description: description || information || reference, reference };
};
