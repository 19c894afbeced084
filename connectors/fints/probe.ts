// Reads and explains a bank's parameters in an anonymous dialog (FinTS 3.0, Formals, "Anonymer Dialog").
import type { Probe } from '@bank-connection/connector-kit';
import { type BankParameters, findBankParameters } from './bankParameters.ts';
import { isBroken, productRefusedCodes } from './codes.ts';
import { continueDialog, type FintsDeps, newDialog } from './dialog.ts';
import { type BankResponse, elementsOf, hasCode, partsOf, segmentsOf, toText } from './message.ts';
import { identify } from './signIn.ts';
import { findTanMethods } from './tanMethods.ts';

/** If the bank refuses, the probe throws an error with the bank's codes. */
export const makeProbe =
  (deps: FintsDeps): Probe =>
  async (institutionId, context) => {
    const party = { login: { institutionId, userId: '9999999999', pin: '' }, device: { systemId: '0' } };
    const dialog = continueDialog(deps, party, newDialog, context);
    const response = await dialog.send(identify(deps, dialog));
    await dialog.end();
    const parameters = findBankParameters(response);
    if (!parameters || isBroken(response)) throw toRefusal(response);
    const rows = [...parameterRows(response, parameters), ...userRows(response)];
    return rows.map(([parameter, all, meaning]) => ({ parameter, value: all.join(', ') || 'none', meaning }));
  };

const toRefusal = (response: BankResponse): Error => {
  const refused = hasCode(response, ...productRefusedCodes) ? 'FINTS_PRODUCT_ID' : 'anonymous dialogs';
  const codes = response.codes.flatMap(({ code }) => (/^9\d{3}$/.test(code) ? code : []));
  return new Error(`the bank refuses ${refused} (${[...new Set(codes)].join(', ') || 'no code'}).`);
};

type Row = [parameter: string, values: readonly unknown[], meaning: string];

const orders: Record<string, string> = {
  ...{ HKSPA: 'IBANs of accounts', HKSAL: 'balances', HKKAZ: 'transactions as MT940' },
  ...{ HKCAZ: 'transactions as camt.052', HKTAB: 'names of TAN devices', HKKKU: 'card transactions' },
};

const parameterRows = (response: BankResponse, parameters: BankParameters): Row[] => {
  const { versions, nationalAccounts, storedDays, cards, camtFormats, tanOrders } = parameters;
  const camt = camtFormats.length > 0 ? versions.HKCAZ : undefined;
  const used: Record<string, number | undefined> = { ...versions, HKCAZ: camt, HKKKU: cards && 1 };
  const [national, naming] = nationalAccounts === false ? ['N', 'IBAN only'] : ['J', 'number and IBAN'];
  const days = { ...storedDays, ...(cards && { HKKKU: cards.storedDays }) };
  return [
    ...Object.entries(orders).map(([id, what]): Row => {
      const offered = segmentsOf(response, `HI${id.slice(2)}S`).map(({ version }) => version);
      return [id, offered, used[id] ? `${what}: version ${used[id]} is used` : `${what}: not used`];
    }),
    ['National accounts', versions.HKSPA ? [national] : [], `requests identify accounts by ${naming}`],
    ['Stored days', Object.entries(days).map((day) => day.join(' ')), 'read by the first import'],
    ['camt formats', camtFormats, 'camt.052 if offered, otherwise MT940'],
    ['TAN needed', tanOrders.filter((id) => id in orders), 'some banks list more than they ask for'],
  ];
};

/** HITANS has polling limits only for decoupled methods. */
const userRows = (response: BankResponse): Row[] => [
  ...findTanMethods(response).map(({ id, name, decoupled, needsMedium }): Row => {
    const answer = decoupled?.requestsMax ? 'decoupled: approval in an app' : 'a code';
    return [`TAN method ${id}`, [name], needsMedium ? `${answer}; the request names the device` : answer];
  }),
  ...segmentsOf(response, 'HIPINS').map((segment): Row => {
    const labels = partsOf(elementsOf(segment)[3]).slice(3, 5);
    return ['Labels of ids', labels.map(toText).filter(Boolean), 'user id; customer id if needed'];
  }),
];
