// A named query without the work that `pg` repeats for every result: requesting its description and building parsers from it. A
// named statement always has the same columns. test/db/pipeline.test.ts fails if a release of `pg` changes the parts used here.
import pg from 'pg';

type Connection = { bind(request: object): void; execute(request: object): void; sync(): void };
type Done = (error: Error | null, result: pg.QueryResult) => void;
type Columns = { fields: object[]; _parsers: object[]; _prebuiltEmptyResultObject: object };
type Internals = {
  name: string;
  values: unknown[];
  _result: Columns & { _types: object };
  _accumulateRows: boolean;
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: object): void;
};
const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Internals;

/** By statement name, which is a hash of the text. */
const knownColumns = new Map<string, Columns>();

export class KnownQuery extends Query {
  constructor(statement: { text: string; name: string }, values: unknown[], types: object, done: Done) {
    super(statement.text, values, done);
    this.name = statement.name;
    this._result._types = types;
  }

  override prepare(connection: Connection): void {
    const known = knownColumns.get(this.name);
    if (known && this.hasBeenParsed(connection)) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
      connection.bind({ statement: this.name, values: this.values, valueMapper });
      connection.execute({});
      connection.sync();
    } else super.prepare(connection);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    knownColumns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

const valueMapper = (value: unknown): unknown =>
  value === null || Buffer.isBuffer(value) ? value : String(value);
