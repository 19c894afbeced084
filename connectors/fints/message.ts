// Parses FinTS messages (FinTS 3.0, Formals, chapter "Syntax"). lib-fints decodes single segments. Amounts and empty elements
// come from the raw text, because lib-fints would round or reject them.
import { BankUnreachable } from '@bank-connection/connector-kit';
import { decode } from 'lib-fints';

/** A segment. Its text is ISO 8859-1, one character per byte. */
export type Segment = { id: string; version: number; text: string };

/** A code about the message (HIRMG), or about the segment with the number `segment` (HIRMS). */
export type ResponseCode = { code: string; isOfMessage: boolean; segment: number; parameters: string[] };

export type BankResponse = { dialogId: string; segments: Segment[]; codes: ResponseCode[] };

/** Throws BankUnreachable('incomplete') unless the bytes are a complete message. */
export const parseMessage = (bytes: Buffer): BankResponse => {
  const outer = splitSegments(bytes.toString('latin1'));
  const [first, last] = [outer[0], outer.at(-1)];
  if (first?.id !== 'HNHBK' || last?.id !== 'HNHBS') throw new BankUnreachable('incomplete');
  const segments = outer.flatMap((segment) =>
    segment.id === 'HNVSD' ? splitSegments(toBinary(elementsOf(segment)[0])) : segment,
  );
  return { dialogId: toText(elementsOf(first)[2]), segments, codes: segments.flatMap(toCodes) };
};

/** Every segment ends with an apostrophe. */
const splitSegments = (text: string): Segment[] => {
  const parts = splitAt(text, "'");
  if (parts.pop()?.trim() !== '') throw new BankUnreachable('incomplete');
  return parts.map((part) => {
    const [id = '', , version] = splitAt(splitAt(part, '+')[0]!, ':');
    return { id, version: Number(version), text: part };
  });
};

/** Splits at separators, except those escaped with `?` or inside binary data, `@length@data`. */
const splitAt = (text: string, separator: string): string[] => {
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    if (character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
    index = character === '@' ? skipBinary(text, index) : index + (character === '?' ? 2 : 1);
  }
  parts.push(text.slice(start));
  return parts;
};

const binaryStart = /@(\d{1,9})@/y;

/** The index after the binary data that starts here. Throws BankUnreachable('incomplete') if the data is truncated. */
const skipBinary = (text: string, index: number): number => {
  binaryStart.lastIndex = index;
  const [, length] = binaryStart.exec(text) ?? [];
  if (length === undefined) return index + 1;
  const end = binaryStart.lastIndex + Number(length);
  if (end > text.length) throw new BankUnreachable('incomplete');
  return end;
};

/** The raw data elements after the segment's header. */
export const elementsOf = ({ text }: Segment): string[] => splitAt(text, '+').slice(1);

/** The parts of a data element group. */
export const partsOf = (element = ''): string[] => splitAt(element, ':');

/** Unescapes a data element. */
export const toText = (element = ''): string => element.replace(/\?(.)/gs, '$1');

/** The bytes of a binary data element, as ISO 8859-1; empty if it is absent. */
export const toBinary = (element = ''): string => {
  const [head, length] = /^@(\d+)@/.exec(element) ?? [];
  return head === undefined ? element : element.slice(head.length, head.length + Number(length));
};

const toCodes = (segment: Segment): ResponseCode[] => {
  if (segment.id !== 'HIRMG' && segment.id !== 'HIRMS') return [];
  const [head] = splitAt(segment.text, '+');
  const [, , , about] = partsOf(head);
  return elementsOf(segment).map((element) => {
    const [code = '', , , ...parameters] = partsOf(element).map(toText);
    return { code, isOfMessage: segment.id === 'HIRMG', segment: Number(about), parameters };
  });
};

export const hasCode = ({ codes }: BankResponse, ...wanted: string[]): boolean =>
  codes.some(({ code }) => wanted.includes(code));

/** The parameters of the first code that matches; undefined if none does. */
export const parametersOf = ({ codes }: BankResponse, wanted: string): string[] | undefined =>
  codes.find(({ code }) => code === wanted)?.parameters;

export const segmentsOf = ({ segments }: BankResponse, ...ids: string[]): Segment[] =>
  segments.filter(({ id }) => ids.includes(id));

/**
 * Decodes a segment with lib-fints, whose definition gives the field names. Throws BankUnreachable('incomplete') if that fails,
 * because lib-fints' own errors may quote the bank's data.
 */
export const decodeSegment = <Fields extends object>({ text }: Segment): Fields => {
  try {
    return decode(text) as unknown as Fields;
  } catch {
    throw new BankUnreachable('incomplete');
  }
};
