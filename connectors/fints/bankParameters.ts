// Which orders a bank takes, and how (FinTS 3.0, Bankparameterdaten). It sends them with the first response of a dialog.
import {
  type BankResponse,
  decodeSegment,
  elementsOf,
  partsOf,
  type Segment,
  segmentsOf,
} from './message.ts';

/** An order whose version the bank chooses: accounts, balance, transactions (MT940 or camt), and TAN media. */
export type OrderId = 'HKSPA' | 'HKSAL' | 'HKKAZ' | 'HKCAZ' | 'HKTAB';

export type BankParameters = {
  /** The version in which each order that the bank takes is sent. */
  versions: Partial<Record<OrderId, number>>;
  /** Orders with which the bank wants to be asked whether they need a TAN. */
  tanOrders: string[];
  /** How many days of transactions the bank keeps; absent where it does not say. */
  storedDays: Partial<Record<OrderId, number>>;
  /** The formats of camt.052 that the bank sends. */
  camtFormats: string[];
  /** False where orders may name an account by its IBAN only, without number and bank code (HISPAS). */
  nationalAccounts?: boolean;
  /** How the transactions of a card are ordered by HKKKU; absent where the bank does not take it for a range of days. */
  cards?: { storedDays: number; needsAccount: boolean };
};

/** From the first version in which accounts are written as they are today, to the last one that lib-fints knows. */
const supportedVersions: Record<OrderId, { min: number; max: number }> = {
  HKSPA: { min: 1, max: 3 },
  HKSAL: { min: 5, max: 7 },
  HKKAZ: { min: 5, max: 7 },
  HKCAZ: { min: 1, max: 1 },
  HKTAB: { min: 4, max: 5 },
};
const orderIds = Object.keys(supportedVersions) as OrderId[];

/** Undefined where the response has no parameters. */
export const findBankParameters = (response: BankResponse): BankParameters | undefined => {
  if (segmentsOf(response, 'HIBPA').length === 0) return undefined;
  const best = orderIds.flatMap((id) => bestSegment(response, id) ?? []);
  const cards = findCards(response);
  const camt = best.find(({ id }) => id === 'HKCAZ');
  const ibans = best.find(({ id }) => id === 'HKSPA');
  return {
    versions: Object.fromEntries(best.map(({ id, segment }) => [id, segment.version])),
    tanOrders: findTanOrders(response),
    storedDays: Object.fromEntries(
      best.flatMap(({ id, segment }) => {
        const days = id === 'HKKAZ' || id === 'HKCAZ' ? decodeParams(segment).maxDays : undefined;
        return days ? [[id, days]] : [];
      }),
    ),
    camtFormats: camt ? findCamtFormats(camt.segment) : [],
    ...(cards && { cards }),
    ...(ibans && { nationalAccounts: partsOf(elementsOf(ibans.segment)[3])[1] !== 'N' }),
  };
};

/** The highest version of an order that both sides know. */
const bestSegment = (response: BankResponse, id: OrderId): { id: OrderId; segment: Segment } | undefined => {
  const { min, max } = supportedVersions[id];
  const [segment] = segmentsOf(response, `HI${id.slice(2)}S`)
    .filter(({ version }) => version >= min && version <= max)
    .toSorted((left, right) => right.version - left.version);
  return segment && { id, segment };
};

type ParameterFields = { params?: { maxDays?: number; supportedCamtFormats?: string | string[] } };

const decodeParams = (segment: Segment): NonNullable<ParameterFields['params']> =>
  decodeSegment<ParameterFields>(segment).params ?? {};

const findCamtFormats = (segment: Segment): string[] =>
  [decodeParams(segment).supportedCamtFormats ?? []].flat().filter((format) => format.includes('camt.052'));

/** HIKKUS (FinTS 3.0, G112, C.12.1): stored days, entries may be limited, days may be named, an account is needed. */
const findCards = (response: BankResponse): BankParameters['cards'] => {
  const segment = segmentsOf(response, 'HIKKUS').find(({ version }) => version === 1);
  const [days = '', , hasDays, needsAccount] = segment ? partsOf(elementsOf(segment)[3]) : [];
  if (!/^\d+$/.test(days) || hasDays !== 'J') return undefined;
  return { storedDays: Number(days), needsAccount: needsAccount === 'J' };
};

type HipinsFields = { params?: { transactions?: { transId: string; tanRequired: boolean }[] } };

const findTanOrders = (response: BankResponse): string[] =>
  segmentsOf(response, 'HIPINS').flatMap((segment) =>
    (decodeSegment<HipinsFields>(segment).params?.transactions ?? []).flatMap(({ transId, tanRequired }) =>
      tanRequired ? [transId] : [],
    ),
  );
