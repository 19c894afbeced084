// Writes the result of a handler. A list of any length is written while it is being produced, with backpressure; a failure
// after the first byte breaks the connection off, so that a partial response never looks complete.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { RequestSlot } from '../../platform/loops/requestSlots.ts';
import { JsonStream } from '../../platform/values/json.ts';
import type { OperationMeta } from './contract.ts';
import type { ResponseValidator } from './responseValidator.ts';

type WriteOptions = {
  operation: OperationMeta;
  validator: ResponseValidator | undefined;
  /** The slot of this request. A list releases it while the client reads. */
  slot: RequestSlot;
  /** The response has no body, so only the beginning of a list is produced. */
  isHead: boolean;
};

/** Throws, before the first byte, if the result cannot be produced or does not fit the contract. */
export const writeResponse = async (
  response: Response,
  result: unknown,
  { operation, validator, slot, isHead }: WriteOptions,
): Promise<void> => {
  response.status(operation.status);
  if (result === undefined) {
    response.end();
    return;
  }
  if (operation.responseType === 'text/plain') {
    response.type('text/plain').end(result as string);
    return;
  }
  if (result instanceof CsvStream)
    return writeChunks(response.type('text/csv').attachment(result.fileName), result.chunks, {
      slot,
      isHead,
    });
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (result instanceof JsonStream) {
    const validate = (items: Buffer): void => validator?.items(result.name, items);
    return writeChunks(response, jsonChunks(result, validate), { slot, isHead });
  }
  if (Buffer.isBuffer(result)) {
    validator?.body(result);
    writeBytes(response, result);
    return;
  }
  const json = JSON.stringify(result);
  validator?.body(Buffer.from(json));
  response.end(json);
};

const textBytesMax = 4096;

// Node.js writes a string together with the headers, but bytes separately, which takes longer than copying a few bytes.
const writeBytes = (response: Response, bytes: Buffer): void => {
  if (bytes.length > textBytesMax) response.end(bytes);
  else response.end(bytes.toString('latin1'), 'latin1');
};

const writeChunks = async (
  response: Response,
  source: AsyncIterable<string | Buffer>,
  { slot, isHead }: Pick<WriteOptions, 'slot' | 'isHead'>,
): Promise<void> => {
  const chunks = source[Symbol.asyncIterator]();
  // The first chunk is produced before anything is sent, so that an early failure still gets a problem response.
  const first = await chunks.next();
  const all = async function* () {
    try {
      for (let next = first; !next.done && !isHead; next = await chunks.next()) {
        slot.release();
        yield next.value;
        await slot.retake();
      }
    } finally {
      slot.release();
      await chunks.return?.();
    }
  };
  try {
    await pipeline(Readable.from(all()), response);
  } catch (error) {
    // The client has closed the connection.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

/** The chunks of a stream; `validate` gets its items. */
async function* jsonChunks(
  stream: JsonStream,
  validate: (items: Buffer) => void,
): AsyncGenerator<string | Buffer> {
  let separator = beginningOf(stream);
  for await (const item of stream.items) {
    if (item instanceof JsonStream) {
      yield separator;
      const validatePart = (items: Buffer | string): void =>
        validate(Buffer.from(`${beginningOf(item)}${items}${endOf(item)}`));
      validatePart('');
      yield* jsonChunks(item, validatePart);
    } else {
      if (item.length === 0) continue;
      validate(item);
      // A write costs more than copying a chunk.
      yield Buffer.concat([Buffer.from(separator), item]);
    }
    separator = ',';
  }
  yield `${separator === ',' ? '' : separator}${endOf(stream)}`;
}

const beginningOf = ({ around: { before = '' }, name }: JsonStream): string =>
  `{${before}${before && ','}"${name}":[`;

const endOf = ({ around: { after = '' } }: JsonStream): string => `]${after && ','}${after}}`;

/** A CSV response of any length, written while it is being produced, which browsers save with this name. */
export class CsvStream {
  readonly chunks: AsyncIterable<string>;
  readonly fileName: string;
  constructor(chunks: AsyncIterable<string>, fileName: string) {
    this.chunks = chunks;
    this.fileName = fileName;
  }
}
