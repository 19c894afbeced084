// Parses XML without document-defined features: a document type is rejected, and only XML's five entities and character
// references are decoded.
import { setImmediate } from 'node:timers/promises';
import { StatementError } from './statement.ts';

/** An element. `tag` is its name with the prefix, `attributes` the text of its start tag after the name; `line` counts from 1. */
export type XmlNode = {
  tag: string;
  name: string;
  line: number;
  attributes: string;
  text: string;
  children: XmlNode[];
};

/** Called with each element at its end; returns true to leave it out of its parent. */
type TakeNode = (node: XmlNode, parent: XmlNode) => boolean;

/** About one millisecond of work. */
const charactersBetweenPauses = 16_384;
const depthMax = 100;

// XML 1.0, sections 2.3 (white space, names), 2.5 to 2.8, 3.1 and 4.1 (references).
const space = String.raw`[ \t\r\n]`;
const name = String.raw`[\p{ID_Start}_:][\p{ID_Continue}_:.\-]*`;
const value = `"[^<"]*"|'[^<']*'`;
const attributesOfTag = `(?:${space}+${name}${space}*=${space}*(?:${value}))*${space}*`;
const attribute = new RegExp(`(${name})${space}*=${space}*(${value})`, 'gu');
const declaration = new RegExp(String.raw`^\uFEFF?(?:<\?xml${attributesOfTag}\?>)?`, 'u');
const tokens = [
  String.raw`<!--.*?-->|<\?(?!xml[ \t\r\n?])${name}(?:${space}.*?)?\?>|<!\[CDATA\[(.*?)\]\]>`,
  `<(${name})(${attributesOfTag})(/?)>|</(${name})${space}*>`,
  String.raw`([ \t\r\n]+|[^<&]+|&(?:#\d+|#x[\da-fA-F]+|\w{1,20});)`,
];
const token = new RegExp(tokens.join('|'), 'suy');

/** The document, with the root element as its child. Rejects with StatementError unless it is well-formed and not too deep. */
export const readXml = async (xml: string, take: TakeNode): Promise<XmlNode> => {
  const document = toNode('', '', 1);
  const open = [document];
  let position = declaration.exec(xml)![0].length;
  let line = 1 + countBreaks(xml.slice(0, position));
  for (let pauseAt = charactersBetweenPauses; position < xml.length; ) {
    token.lastIndex = position;
    const found = token.exec(xml);
    if (!found && /^<!(DOCTYPE|ENTITY)/i.test(xml.slice(position, position + 10))) {
      throw new StatementError(line, 'XML without a document type');
    }
    if (!found || !addToken(open, found, line, take)) throw notWellFormed(line);
    position += found[0].length;
    line += countBreaks(found[0]);
    if (position < pauseAt) continue;
    pauseAt = position + charactersBetweenPauses;
    await setImmediate();
  }
  if (open.length > 1 || document.children.length === 0) throw notWellFormed(open.at(-1)!.line);
  return document;
};

const toNode = (tag: string, attributes: string, line: number): XmlNode => ({
  ...{ tag, name: tag.slice(tag.indexOf(':') + 1), line, attributes, text: '', children: [] },
});

const notWellFormed = (line: number): StatementError => new StatementError(line, 'well-formed XML');

const countBreaks = (text: string): number => text.split('\n').length - 1;

/** Adds a token to the document and the open elements. False if it is not allowed here. */
const addToken = (open: XmlNode[], found: RegExpExecArray, line: number, take: TakeNode): boolean => {
  const [, data, start, attributes, slash, end, text] = found;
  if (start !== undefined && !startNode(open, toNode(start, attributes!, line))) return false;
  const node = open.at(-1)!;
  const added = data ?? decodeReferences(text ?? '');
  // White space between elements would be a large part of the document.
  if (node.text !== '' || /[^ \t\r\n]/.test(added)) node.text += added;
  if (slash || end !== undefined) return endNode(open, start ?? end!, take);
  return open[0]!.text === '';
};

const startNode = (open: XmlNode[], node: XmlNode): boolean => {
  if (open.length > depthMax) throw new StatementError(node.line, 'less deeply nested XML');
  const isSecondRoot = open.length === 1 && open[0]!.children.length > 0;
  const names = Array.from(node.attributes.matchAll(attribute), ([, name]) => name);
  open.push(node);
  return !isSecondRoot && new Set(names).size === names.length;
};

const endNode = (open: XmlNode[], tag: string, take: TakeNode): boolean => {
  const node = open.pop()!;
  const parent = open.at(-1);
  if (!parent || node.tag !== tag) return false;
  if (!take(node, parent)) parent.children.push(node);
  return true;
};

/** The elements at a path of names. */
export const nodesAt = (node: XmlNode, ...path: string[]): XmlNode[] =>
  path.reduce<XmlNode[]>(
    (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [node],
  );

/** The raw text of an attribute. */
export const attributeAt = (node: XmlNode, name: string): string | undefined =>
  Array.from(node.attributes.matchAll(attribute))
    .find(([, key]) => key === name)?.[2]
    ?.slice(1, -1);

/** The non-empty texts at a path of names. */
export const textsAt = (node: XmlNode, ...path: string[]): string[] =>
  // Copies the text, because a V8 substring keeps the whole document in memory.
  nodesAt(node, ...path).flatMap(({ text }) => ` ${text.trim()}`.slice(1) || []);

/** The first text at a path of names. */
export const textAt = (node: XmlNode, ...path: string[]): string | undefined => textsAt(node, ...path)[0];

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeReferences = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return isCharacter(point) ? String.fromCodePoint(point) : whole;
  });

/** XML 1.0, section 2.2: no surrogates, and no control characters except tabs and line breaks. */
const isCharacter = (point: number): boolean =>
  [0x9, 0xa, 0xd].includes(point) ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);
