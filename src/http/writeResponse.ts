// Writes the result of a handler. A list of any length is written while it is produced, with backpressure; a failure
// after the first byte breaks the connection off, so that a partial response never looks complete.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { JsonBytes, JsonStream } from '../json.ts';
import { CsvStream } from './csvStream.ts';
import type { ResponseValidator } from './responseValidator.ts';

type WriteOptions = { status: number; validator: ResponseValidator | undefined };

/** Throws, before the first byte, where the result cannot be produced or does not fit the contract. */
export const writeResponse = async (
  response: Response,
  result: unknown,
  { status, validator }: WriteOptions,
): Promise<void> => {
  response.status(status);
  if (result === undefined) {
    response.end();
    return;
  }
  if (result instanceof CsvStream) return writeChunks(response.type('text/csv'), result.chunks);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (result instanceof JsonStream) return writeChunks(response, jsonChunks(result, validator));
  if (result instanceof JsonBytes) {
    validator?.body(result.bytes);
    writeBytes(response, result.bytes);
    return;
  }
  const json = JSON.stringify(result);
  validator?.body(Buffer.from(json));
  response.end(json);
};

const textBytesMax = 4096;

// Node.js writes a text together with the headers, and bytes as a second part, which takes longer than to copy a few.
const writeBytes = (response: Response, bytes: Buffer): void => {
  if (bytes.length > textBytesMax) response.end(bytes);
  else response.end(bytes.toString('latin1'), 'latin1');
};

const writeChunks = async (response: Response, source: AsyncIterable<string | Buffer>): Promise<void> => {
  const chunks = source[Symbol.asyncIterator]();
  // The first chunk is produced before anything is sent, so that an early failure still gets a problem response.
  const first = await chunks.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  try {
    await pipeline(Readable.from(all()), response);
  } catch (error) {
    // The client closed the connection.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

async function* jsonChunks(
  { name, items, rest }: JsonStream,
  validator: ResponseValidator | undefined,
): AsyncGenerator<string | Buffer> {
  let separator = `{"${name}":[`;
  for await (const chunk of items) {
    if (chunk.length === 0) continue;
    validator?.items(name, chunk);
    yield separator;
    yield chunk;
    separator = ',';
  }
  yield `${separator === ',' ? '' : separator}],${rest}}`;
}
