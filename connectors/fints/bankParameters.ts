// The orders that a bank supports, and their formats (FinTS 3.0, Bankparameterdaten). The bank sends them in the first response
// of a dialog.
import {
  type BankResponse,
  decodeSegment,
  elementsOf,
  partsOf,
  type Segment,
  segmentsOf,
} from './message.ts';

/** An order whose version the bank chooses: accounts, balance, transactions (MT940 or camt), or TAN media. */
export type OrderId = 'HKSPA' | 'HKSAL' | 'HKKAZ' | 'HKCAZ' | 'HKTAB';

export type BankParameters = {
  /** The version to send, for each supported order. */
  versions: Partial<Record<OrderId, number>>;
  /** Orders for which the bank must first be asked whether they need a TAN. */
  tanOrders: string[];
  /** The number of days that the bank keeps transactions; absent if unknown. */
  storedDays: Partial<Record<OrderId, number>>;
  /** The camt.052 formats that the bank sends. */
  camtFormats: string[];
  /** False if orders may identify an account only by IBAN, without number and bank code (HISPAS). */
  nationalAccounts?: boolean;
  /** Parameters for HKKKU, which requests card transactions; absent if the bank does not accept a range of days. */
  cards?: { storedDays: number; needsAccount: boolean };
};

/** From the first version with the current account format to the last one that lib-fints supports. */
const supportedVersions: Record<OrderId, { min: number; max: number }> = {
  HKSPA: { min: 1, max: 3 },
  HKSAL: { min: 5, max: 7 },
  HKKAZ: { min: 5, max: 7 },
  HKCAZ: { min: 1, max: 1 },
  HKTAB: { min: 4, max: 5 },
};
const orderIds = Object.keys(supportedVersions) as OrderId[];

/** Undefined if the response has no parameters. */
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

/** The segment for the highest version that the bank and this connector support. */
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

/** HIKKUS (FinTS 3.0, G112, C.12.1): stored days, then flags: entry limit allowed, days allowed, account required. */
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
