/** A CSV response of any length, written while it is produced. */
export class CsvStream {
  readonly chunks: AsyncIterable<string>;
  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks;
  }
}
