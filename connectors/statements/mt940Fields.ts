// Splits an MT940 or MT942 into its fields. What is before the first field, such as the blocks of a SWIFT message, is
// left out.
import { StatementError } from './statement.ts';

/** `line` is the one with the tag, counted from 1. */
export type Field = { tag: string; line: number; lines: string[] };

const tagPattern = /^:(13D?|2[01]|25P?|28C?|34F|6[02][FM]|61|6[45]|86|90[CD]|NS):(.*)$/;
/** Some banks say so which message follows. */
const messagePattern = /^:94[02]:/;
/** The end of a statement, with what transports add. */
const endPattern = /^-(\}.*|X{3})?\p{Cc}*$/u;

/** Throws StatementError for a field that a statement does not have: it may be a damaged one. */
export const splitFields = (text: string): Field[] => {
  const fields: Field[] = [];
  let isOpen = false;
  joinTags(text.split(/\r\n|\n|\r/)).forEach(({ text: line, number }) => {
    const [, tag, rest = ''] = tagPattern.exec(line) ?? [];
    if (tag === undefined && line.startsWith(':') && !messagePattern.test(line)) {
      throw new StatementError(number, 'a field of MT940 or MT942');
    }
    if (tag !== undefined) fields.push({ tag, line: number, lines: [rest] });
    else if (isOpen && line.trim() !== '' && !endPattern.test(line)) fields.at(-1)!.lines.push(line);
    isOpen = tag !== undefined || (isOpen && !endPattern.test(line));
  });
  return fields;
};

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
