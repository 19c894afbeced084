// Describes an MT940 entry: field 86 in the structure that German banks use (Anlage 3 of the DFÜ agreement: a code of three digits,
// a separator, and numbered fields), or as plain text.
import { collapse, firstReference } from './statement.ts';

export type EntryTexts = {
  /** The text after the reference in field 61. */
  inline: string;
  /** The remaining lines of field 61. */
  supplement: string[];
  /** The lines of the fields that describe the entry. */
  descriptions: string[][];
};

type Description = { description: string; reference: string };

/** `ownerReference` is from field 61. */
export const describeEntry = (texts: EntryTexts, ownerReference: string): Description => {
  const [first = []] = texts.descriptions;
  const structured = splitStructured(first.join(''));
  return structured ? describeStructured(structured, ownerReference) : describePlain(texts, ownerReference);
};

/** Other characters, such as a slash or a hyphen, also occur between the digits of plain texts. */
const structuredPattern = /^\d{3}([?>^])(?=\d\d)/;

/** The numbered fields; undefined for plain text. Lines may break anywhere in them. */
const splitStructured = (text: string): Map<string, string> | undefined => {
  const [, separator] = structuredPattern.exec(text) ?? [];
  if (separator === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const part of text
    .slice(3)
    .split(new RegExp(`\\${separator}(?=\\d\\d)`))
    .slice(1)) {
    const number = part.slice(0, 2);
    // A number that occurs twice is text: a separator followed by two digits.
    const before = fields.get(number);
    fields.set(number, before === undefined ? part.slice(2) : `${before}${separator}${part}`);
  }
  return fields;
};

const remittanceFields = '20 21 22 23 24 25 26 27 28 29 60 61 62 63'.split(' ');

const describeStructured = (fields: Map<string, string>, ownerReference: string): Description => {
  const join = (names: readonly string[]): string => names.map((name) => fields.get(name) ?? '').join('');
  const name = collapse(join(['32', '33']));
  const { text, references } = splitRemittance(remittanceFields.map((field) => fields.get(field) ?? ''));
  const description = [name, text].filter((part) => part !== '').join(' ');
  return {
    description: description || collapse(join(['00'])) || collapse([...fields.values()].join(' ')),
    reference: firstReference(references.EREF, references.KREF, ownerReference),
  };
};

/** A tag may begin at the start of a field or after a space. */
const fieldStart = '\0';
const sepaTag = /[\0 ](EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|SQTP|IBAN|BIC)\+/;

/** The remittance text, without the other SEPA information that is marked with tags. */
const splitRemittance = (fields: readonly string[]): { text: string; references: Record<string, string> } => {
  const [before = '', ...parts] = fields
    .map((field) => fieldStart + field)
    .join('')
    .split(sepaTag);
  const references: Record<string, string> = {};
  for (let index = 0; index < parts.length; index += 2)
    references[parts[index]!] ??= joinFields(parts[index + 1]!);
  return { text: collapse(references.SVWZ ?? joinFields(before)), references };
};

const joinFields = (text: string): string => text.replaceAll(fieldStart, '');

/** A SWIFT line has at most 65 characters, so a full one continues on the next. */
const fullLine = 65;

const describePlain = (
  { inline, supplement, descriptions }: EntryTexts,
  ownerReference: string,
): Description => {
  const text = collapse([inline, ...descriptions.map(joinLines)].join(' '));
  return {
    description: text || collapse(supplement.join(' ')) || firstReference(ownerReference),
    reference: firstReference(ownerReference),
  };
};

const joinLines = (lines: readonly string[]): string =>
  lines.map((line) => (line.length >= fullLine ? line : `${line} `)).join('');
