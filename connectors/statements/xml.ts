// Reads XML without anything that a document could define itself: a document type is refused, and only the five entities
// of XML and character references are decoded.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { StatementError } from './statement.ts';

/** An element by the names of its children, without namespaces, and its text by `#text`. */
export type XmlNode = { [name: string]: unknown };

export type XmlDocument = { xml: string; root: XmlNode };

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false },
  // A leaf is an element, too, with its line.
  ...{ captureMetaData: true, alwaysCreateTextNode: true },
});
const metaData = XMLParser.getMetaDataSymbol() as unknown as string;

/** Throws StatementError for what is not well-formed, and for a document type. */
export const parseXml = (xml: string): XmlDocument => {
  const definition = /<!(DOCTYPE|ENTITY)/i.exec(xml);
  if (definition) throw new StatementError(lineAt(xml, definition.index), 'XML without a document type');
  const result = XMLValidator.validate(xml);
  if (result !== true) throw new StatementError(result.err.line, 'well-formed XML');
  try {
    return { xml, root: parser.parse(xml) };
  } catch {
    // The parser limits how deep elements may be. Its messages may repeat the document.
    throw new StatementError(1, 'XML of a usual depth');
  }
};

const lineAt = (xml: string, index: number): number => xml.slice(0, index).split('\n').length;

/** The line of an element, counted from 1. */
export const lineOf = ({ xml }: XmlDocument, node: XmlNode): number => {
  const { startIndex = 0 } = (node[metaData] ?? {}) as { startIndex?: number };
  return lineAt(xml, startIndex);
};

const isNode = (value: unknown): value is XmlNode => typeof value === 'object' && value !== null;

const valuesOf = (node: XmlNode, path: readonly string[]): unknown[] =>
  path.reduce<unknown[]>(
    (values, name) => values.flatMap((value) => (isNode(value) ? [value[name] ?? []].flat() : [])),
    [node],
  );

/** The elements at a path of names. */
export const nodesAt = (node: XmlNode, ...path: string[]): XmlNode[] => valuesOf(node, path).filter(isNode);

/** The texts at a path of names, with entities decoded; those that are empty are left out. */
export const textsAt = (node: XmlNode, ...path: string[]): string[] =>
  valuesOf(node, path)
    .map((value) => (isNode(value) ? value['#text'] : value))
    .flatMap((value) => (typeof value === 'string' ? decodeEntities(value).trim() || [] : []));

/** The first text at a path of names. */
export const textAt = (node: XmlNode, ...path: string[]): string | undefined => textsAt(node, ...path)[0];

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return isCharacter(point) ? String.fromCodePoint(point) : whole;
  });

/** XML 1.0, section 2.2: no half of a surrogate pair, and of the control characters only tab and line breaks. */
const isCharacter = (point: number): boolean =>
  [0x9, 0xa, 0xd].includes(point) ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);
