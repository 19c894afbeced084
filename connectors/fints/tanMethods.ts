// Parses a bank's TAN methods (FinTS 3.0, PIN/TAN, segment HITANS) and the devices for them (HITAB). Versions 6 and 7 support
// strong customer authentication.
import { type BankResponse, decodeSegment, parametersOf, segmentsOf } from './message.ts';

/** A method for confirming a sign-in or an order. `id` is the bank's number for it, 900 to 997. */
export type TanMethod = {
  id: number;
  /** The version of the segment HKTAN. */
  version: number;
  name: string;
  answer: 'digits' | 'text';
  /** In characters. */
  lengthMax?: number;
  /** True if orders must contain the device. */
  needsMedium: boolean;
  /** Polling limits for an approval on another device. */
  decoupled?: { requestsMax?: number; firstSeconds: number; nextSeconds: number };
};

type HitansFields = {
  params: {
    tanMethods: {
      secFunc: number;
      methodId: string;
      zkaMethod?: string;
      methodName: string;
      tanMaxLen?: number;
      format?: number;
      tanMediaRequired: number;
      decoupledMaxStatusRequests?: number;
      decoupledWaitBeforeFirstStatusRequest?: number;
      decoupledWaitBetweenStatusRequests?: number;
    }[];
  };
};
type MethodFields = HitansFields['params']['tanMethods'][number];

/** From this version on, methods may use an approval on another device. */
const decoupledVersion = 7;
const versions = [decoupledVersion, 6];
const numericFormat = 1;
const mediumRequired = 2;
/** Used if the bank sends no other value. */
export const pollSecondsDefault = 5;

/** The methods that the bank offers, in its order; empty if the response has no parameters. */
export const findTanMethods = (response: BankResponse): TanMethod[] => {
  const methods = new Map<number, TanMethod>();
  for (const version of versions) {
    for (const segment of segmentsOf(response, 'HITANS').filter((one) => one.version === version)) {
      for (const fields of decodeSegment<HitansFields>(segment).params.tanMethods) {
        if (!methods.has(fields.secFunc) && !needsReader(fields)) {
          methods.set(fields.secFunc, toMethod(fields, version));
        }
      }
    }
  }
  return [...methods.values()];
};

/** True for flicker codes and readers connected by cable, because the widget shows only text and pictures. */
const needsReader = ({ methodId, zkaMethod = '' }: MethodFields): boolean =>
  /OPT|USB/i.test(methodId) || /^HHD(OPT|USB)/i.test(zkaMethod);

const toMethod = (fields: MethodFields, version: number): TanMethod => ({
  id: fields.secFunc,
  version,
  name: fields.methodName,
  answer: fields.format === numericFormat ? 'digits' : 'text',
  ...(fields.tanMaxLen && { lengthMax: fields.tanMaxLen }),
  needsMedium: fields.tanMediaRequired === mediumRequired,
  ...(version === decoupledVersion && {
    decoupled: {
      ...(fields.decoupledMaxStatusRequests && { requestsMax: fields.decoupledMaxStatusRequests }),
      firstSeconds: fields.decoupledWaitBeforeFirstStatusRequest || pollSecondsDefault,
      nextSeconds: fields.decoupledWaitBetweenStatusRequests || pollSecondsDefault,
    },
  }),
});

/** The numbers of the methods that this end user may use; undefined if the bank does not list them. */
export const permittedMethodIds = (response: BankResponse): number[] | undefined =>
  parametersOf(response, '3920')?.map(Number);

type HitabFields = { mediaList?: { name?: string; mobilePhoneNumberObfuscated?: string }[] };

/** An end user's device; `number` is its masked phone number. */
export type TanMedium = { name: string; number?: string };

/** Drops devices with duplicate names, because orders contain only the name. */
export const findTanMedia = (response: BankResponse): TanMedium[] => {
  const [segment] = segmentsOf(response, 'HITAB');
  const { mediaList = [] } = segment ? decodeSegment<HitabFields>(segment) : {};
  const media = new Map<string, TanMedium>();
  for (const { name, mobilePhoneNumberObfuscated: number } of mediaList) {
    if (name && !media.has(name)) media.set(name, { name, ...(number && { number }) });
  }
  return [...media.values()];
};
