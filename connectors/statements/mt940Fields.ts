// Splits an MT940 or MT942 into fields. Text before the first field, such as the blocks of a SWIFT message, is ignored.
import { StatementError } from './statement.ts';

/** `line` is the line of the tag, counted from 1. */
export type Field = { tag: string; line: number; lines: string[] };

/** A tag may contain blanks. */
const fieldPattern = /^:([0-9A-Z ]{2,6}):(.*)$/;
const knownTags = /^(13D?|2[01]|25P?|28C?|34F|6[02][FM]|61|6[45]|86|90[CD]|NS)$/;
/** Some banks announce the next message with these tags. */
const messageTags = /^94[02]$/;
/** The end of a statement, including characters that transports add. */
const endPattern = /^-(\}.*|X{3})?\p{Cc}*$/u;

/**
 * Throws StatementError for an unknown field, because it may be a damaged one. After the closing balance, unknown fields are
 * ignored.
 */
export const splitFields = (text: string): Field[] => {
  const fields: Field[] = [];
  const lines = joinTags(text.split(/\r\n|\n|\r/));
  let open: Field | undefined;
  let isClosed = false;
  for (const [index, { text: line, number }] of lines.entries()) {
    const [, name, rest = ''] = fieldPattern.exec(line) ?? [];
    const tag = name?.replaceAll(' ', '') ?? '';
    const content = rest + (lines[index + 1]?.text ?? '');
    if (endPattern.test(line)) open = undefined;
    else if (!line.startsWith(':') || (open?.tag === '86' && !endsText(open, tag, { content, isClosed }))) {
      if (line.trim() !== '') open?.lines.push(line);
    } else if (knownTags.test(tag)) {
      open = { tag, line: number, lines: [rest] };
      fields.push(open);
      isClosed = tag !== '20' && (isClosed || tag.startsWith('62'));
    } else if (isClosed || messageTags.test(tag)) open = undefined;
    else throw new StatementError(number, 'a field of MT940 or MT942');
  }
  return fields;
};

const balanceStart = /^[CD][\d ]{0,6}[A-Z]{3}\d/;
const structuredStart = /^\d{3}[?>^]\d\d/;

/** The fields that can follow field 86, and their first characters. */
const followers: Record<string, RegExp> = {
  ...{ '62F': balanceStart, '62M': balanceStart, '64': balanceStart, '65': balanceStart },
  ...{ '90C': /^\d{1,5}[A-Z]{3}\d/, '90D': /^\d{1,5}[A-Z]{3}\d/, NS: /^\d\d/ },
};

type TextContext = { content: string; isClosed: boolean };

/** True if a line after field 86 is the next field. Banks wrap field 86 anywhere, even before a colon in its text. */
const endsText = (open: Field, tag: string, { content, isClosed }: TextContext): boolean => {
  if (tag === '61') return startsWithDay(content);
  if (tag === '86') return isClosed || !structuredStart.test(open.lines[0]!) || structuredStart.test(content);
  if (tag === '20' || messageTags.test(tag)) return isClosed;
  return followers[tag]?.test(content) ?? false;
};

/** With one damaged digit, it is a damaged entry, which must be an error rather than text. */
const startsWithDay = (content: string): boolean => content.slice(0, 6).replace(/\D/g, '').length >= 5;

type Line = { text: string; number: number };

/** Some transports wrap lines in the middle of a tag, after its first colon. */
const joinTags = (lines: readonly string[]): Line[] => {
  const joined: Line[] = [];
  lines.forEach((text, index) => {
    const previous = joined.at(-1);
    if (previous?.text === ':' && /^(\d\d[A-Z]?|NS):/.test(text)) previous.text += text;
    else joined.push({ text, number: index + 1 });
  });
  return joined;
};
