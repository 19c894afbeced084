// From a handler's answer to bytes. A list of any length is written as it is made, with backpressure; a failure
// after the first byte breaks the connection off, so that no half answer looks whole.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { JsonStream, JsonText } from '../json.ts';
import type { ResponseValidator } from './responseValidator.ts';
import { CsvStream } from './csvStream.ts';

type WriteOptions = { status: number; check: ResponseValidator | undefined };

/** Sends an answer of an operation; throws, before the first byte, where it cannot be made or breaks the contract. */
export const writeResponse = async (
  response: Response,
  answer: unknown,
  { status, check }: WriteOptions,
): Promise<void> => {
  response.status(status);
  if (answer === undefined) {
    response.end();
    return;
  }
  if (answer instanceof CsvStream) return writeChunks(response.type(answer.type), answer.pieces);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (answer instanceof JsonStream) return sendStream(response, answer, check);
  const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
  check?.body(text);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

const sendStream = async (
  response: Response,
  answer: JsonStream,
  check: ResponseValidator | undefined,
): Promise<void> => {
  await writeChunks(response, jsonChunks(answer, check));
};

const writeChunks = async (response: Response, given: AsyncIterable<string>): Promise<void> => {
  const pieces = given[Symbol.asyncIterator]();
  // The first piece is made before anything is sent, so that what fails early is still answered properly.
  const first = await pieces.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  try {
    await pipeline(Readable.from(all()), response);
  } catch (error) {
    // A caller who goes away in the middle is their own affair.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

async function* jsonChunks(
  { name, items, rest }: JsonStream,
  check: ResponseValidator | undefined,
): AsyncGenerator<string> {
  let opening = `{"${name}":[`;
  for await (const part of items) {
    if (part.length === 0) continue;
    for (const entry of check ? part : []) check?.entry(name, entry);
    yield opening + part.join(',');
    opening = ',';
  }
  yield `${opening === ',' ? '' : opening}],${rest}}`;
}
