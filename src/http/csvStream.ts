// An answer of any length that is not JSON.
export class CsvStream {
  readonly type: string;
  readonly pieces: AsyncIterable<string>;
  constructor(type: string, pieces: AsyncIterable<string>) {
    this.type = type;
    this.pieces = pieces;
  }
}
