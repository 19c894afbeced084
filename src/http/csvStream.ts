/** A CSV response of any length, written while it is produced, which browsers save with this name. */
export class CsvStream {
  readonly chunks: AsyncIterable<string>;
  readonly fileName: string;
  constructor(chunks: AsyncIterable<string>, fileName: string) {
    this.chunks = chunks;
    this.fileName = fileName;
  }
}
