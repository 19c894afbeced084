// The changes: each column of each table gets another row's value, null, a flipped bit or another character, and its value
// from three hours earlier. The choice of rows and bytes is deterministic.
import { createHash } from 'node:crypto';
import { seconds } from '../../src/platform/values/clock.ts';
import { derivePublicKey, makeSecret } from '../../src/platform/vault/keys.ts';
import { type Fixture, organizationNames } from './fixtureTypes.ts';
import type { RawDatabase, Row, Table, Value } from './rawDatabase.ts';

export type Change = {
  table: string;
  column: string;
  /** The kind of the changed row, if the table has rows of several kinds. */
  kind: string;
  /** The name of the change in the table of outcomes. */
  name: string;
  /** The end user and the organization of the row, if any. */
  owner: Owner;
  /** The owner of the row that the value comes from. */
  donor?: Owner;
  /** The values that moved between rows. */
  moved: Value[];
  apply(raw: RawDatabase): Promise<void>;
};

/** The secret of an end user whom the attacker invents. */
export const attacker = makeSecret();

export type Owner = { user?: string; organization?: string };

/** Tables that no run changes, with the reason. */
const unchangedTables: Record<string, string> = {
  schema_compatibility: 'only a start reads it',
  schema_migrations: 'only a start reads it',
};

/** Columns by which the rows of a table differ so much that one row of each kind is changed. */
const kindColumns: Record<string, string> = {
  applications: 'environment',
  jobs: 'kind',
  link_sessions: 'state',
  member_tokens: 'kind',
  service_secrets: 'name',
  sign_in_challenges: 'kind',
  webhook_deliveries: 'state',
};

/** Kinds of rows that nothing reads again. */
const endedKinds = ['ended'];

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

const same = (left: Value, right: Value): boolean =>
  Buffer.isBuffer(left) && Buffer.isBuffer(right) ? left.equals(right) : left === right;

/** A deterministic number for a text. */
const stableNumber = (text: string, below: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE() % below;

/** The value with one bit or character changed; a time becomes a thousand years earlier or later. */
const alter = (column: string, value: Exclude<Value, null>): [name: string, value: Value][] => {
  if (typeof value === 'number') return [['a flipped bit', value % 2 === 0 ? value + 1 : value - 1]];
  if (Buffer.isBuffer(value)) {
    const flipped = Buffer.from(value);
    const at = stableNumber(column, value.length);
    flipped[at] = flipped[at]! ^ (1 << stableNumber(`${column} bit`, 8));
    return [['a flipped bit', flipped]];
  }
  if (isTime(value))
    return [
      ['an earlier time', `1${value.slice(1)}`],
      ['a later time', `3${value.slice(1)}`],
    ];
  const places = [...value].flatMap((character, at) => (/[0-9A-Za-z]/.test(character) ? [at] : []));
  const at = places[stableNumber(column, places.length)] ?? 0;
  return [['another character', value.slice(0, at) + nextCharacter(value[at] ?? '') + value.slice(at + 1)]];
};

const classes = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const nextCharacter = (character: string): string => {
  const found = classes.find((characters) => characters.includes(character));
  return found ? found[(found.indexOf(character) + 1) % found.length]! : 'x';
};

type OwnedRow = { row: Row; owner: Owner; order: string };

/** Finds the owners of the rows by the fixture's ids, and sorts the rows in an order that does not depend on random ids. */
const makeOwnerOf = async (fixture: Fixture, raw: RawDatabase): Promise<(row: Row) => OwnedRow> => {
  const known = new Map<Value, { owner: Owner; order: number }>();
  const add = (owner: Owner, values: Value[]): void => {
    for (const value of values) known.set(value, { owner, order: known.size });
  };
  for (const { name, organization, endUserId, connections } of fixture.users) {
    const ids = connections.flatMap(({ id, accountIds }) => [id, ...accountIds]);
    add({ user: name, organization }, [...ids, endUserId, `external-${name}`]);
  }
  for (const { id, user } of fixture.sessions) {
    const organization = fixture.users.find(({ name }) => name === user)?.organization ?? 'Globexinc';
    add({ user, organization }, [id]);
  }
  for (const { name, id, production, sandbox, owner } of fixture.organizations) {
    const ofKeys = [production.id, sandbox.id, production.keyId, sandbox.keyId];
    add({ organization: name }, [...ofKeys, owner.email, id]);
  }
  // PostgreSQL returns changed rows in another order.
  const members = (await raw.rows('members')).toSorted((left, right) =>
    String(left.email) < String(right.email) ? -1 : 1,
  );
  for (const { id, email } of members) {
    const organization = organizationNames.find((name) => String(email).includes(name.toLowerCase()));
    add({ organization }, [id!]);
  }
  for (const { id, short_id } of await raw.rows('accounts')) {
    const account = known.get(id!);
    if (account) known.set(short_id!, account);
  }
  const organizationOfLoad = new Map(
    (await raw.rows('sandbox_loads')).map((row) => [row.id, row.organization_id]),
  );
  const isUsed = await makeIsUsed(raw);
  return (row) => {
    const values = Object.entries(row).map(([column, value]) =>
      column === 'load_id' ? organizationOfLoad.get(value)! : value,
    );
    const found = values
      .flatMap((value) => known.get(value) ?? [])
      .toSorted((left, right) => left.order - right.order);
    const text = values
      .filter((value) => typeof value === 'string')
      .join(' ')
      .toLowerCase();
    const organization = organizationNames.find((name) => text.includes(name.toLowerCase()));
    const owner = found[0]?.owner ?? { organization };
    const order = [rank(owner), found[0]?.order ?? 1e6].map((number) => String(number).padStart(8, '0'));
    return { row, owner, order: [...order, isUsed(row) ? 0 : 1, ...timesOf(row)].join(' ') };
  };
};

/** True for a block that contains transaction texts, or for the data key of one. */
const makeIsUsed = async (raw: RawDatabase): Promise<(row: Row) => boolean> => {
  const blockOf = ({ account_short_id, block }: Row): string => `${account_short_id} ${block}`;
  const blocks = new Set((await raw.rows('transactions')).map(blockOf));
  const used = (await raw.rows('transaction_blocks')).filter((row) => blocks.has(blockOf(row)));
  const keys = new Set(used.map((row) => row.data_key_id));
  return (row) => {
    if (row.transaction_count !== undefined) return blocks.has(blockOf(row));
    return row.wrapped === undefined || keys.has(row.id!);
  };
};

const orderingColumns = [
  ...['kind', 'name', 'date', 'seq', 'created_at', 'at', 'position', 'ordinal', 'block', 'subject'],
];
const timesOf = (row: Row): string[] =>
  orderingColumns.flatMap((column) => (row[column] == null ? [] : [String(row[column]).padStart(16, '0')]));

/** Lower comes first: the rows of one end user and organization are changed, with the values of all others. */
const rank = ({ user, organization }: Owner): number =>
  user === 'adelheid' ? 0 : organization === 'Acmecorp' ? (user ? 2 : 1) : organization ? 3 : 4;

/** All changes of a fixture, and the columns that no change covers. */
export const listChanges = async (
  fixture: Fixture,
  raw: RawDatabase,
): Promise<{ changes: Change[]; unreached: string[] }> => {
  const ownerOf = await makeOwnerOf(fixture, raw);
  const changes: Change[] = [];
  const unreached: string[] = [];
  for (const table of await raw.tables()) {
    if (table.name in unchangedTables) continue;
    const rows = (await raw.rows(table.name))
      .map(ownerOf)
      .toSorted((left, right) => (left.order < right.order ? -1 : 1));
    const before = fixture.before.get(table.name) ?? [];
    for (const column of table.columns) {
      const found = changesOf(fixture, { table, column, rows, before });
      if (found.length === 0) unreached.push(`${table.name}.${column}`);
      changes.push(...found);
    }
  }
  return { changes, unreached };
};

type ColumnContext = { table: Table; column: string; rows: OwnedRow[]; before: Row[] };

const changesOf = (fixture: Fixture, context: ColumnContext): Change[] => {
  const { table, column, rows } = context;
  const kindColumn = kindColumns[table.name];
  const kindOf = ({ row }: OwnedRow): string => (kindColumn ? String(row[kindColumn]) : '');
  const live = rows.filter((row) => !endedKinds.includes(kindOf(row)));
  const named = (kind: string, changes: PartialChange[]): Change[] =>
    changes.map((change) => ({ ...change, table: table.name, column, kind }));
  const first = live.find(({ row }) => row[column] !== null);
  const ofKinds = [...Map.groupBy(live, kindOf)].flatMap(([kind, ofKind]) => {
    const filled = ofKind.find(({ row }) => row[column] !== null);
    const empty = ofKind.find(({ row }) => row[column] === null);
    return named(kind, [
      ...(filled ? takeOthers(context, filled) : []),
      ...(empty ? fillNull(fixture, context, empty) : []),
    ]);
  });
  return [...ofKinds, ...(first ? named(kindOf(first), alterRow(context, first)) : [])];
};

type PartialChange = Omit<Change, 'table' | 'column' | 'kind'>;

const takeOthers = (context: ColumnContext, owned: OwnedRow): PartialChange[] => {
  const { table, column } = context;
  const { row, owner } = owned;
  return donorsOf(context, owned).map(([name, donor]) => ({
    ...{ name, owner, donor: donor.owner, moved: [row[column]!, donor.row[column]!] },
    apply: (raw) => takeValue(raw, { table, column, row, donor: donor.row }),
  }));
};

const alterRow = ({ table, column, before }: ColumnContext, { row, owner }: OwnedRow): PartialChange[] => {
  const value = row[column] as Exclude<Value, null>;
  const set = (name: string, changed: Value): PartialChange => ({
    ...{ name, owner, moved: [] },
    apply: (raw) => raw.update(table, row, { [column]: changed }),
  });
  const older = before.find((one) => table.primaryKey.every((key) => same(one[key]!, row[key]!)));
  const hasOlder = older && table.primaryKey.length > 0 && !same(older[column]!, value);
  return [
    set('null', null),
    ...alter(`${table.name}.${column}`, value).map(([name, changed]) => set(name, changed)),
    ...(`${table.name}.${column}` === 'end_users.public_key'
      ? [set("the attacker's", derivePublicKey(attacker))]
      : []),
    ...(hasOlder ? [set('an older value', older[column]!)] : []),
  ];
};

/** Rows with a different value: of another end user, and of another organization; otherwise any. */
const donorsOf = (
  { table, column, rows }: ColumnContext,
  { row, owner }: OwnedRow,
): [name: string, OwnedRow][] => {
  const kindColumn = kindColumns[table.name] ?? '';
  const isOtherKind = (other: OwnedRow): number => Number(other.row[kindColumn] !== row[kindColumn]);
  const others = rows
    .filter((other) => other.row[column] !== null && !same(other.row[column]!, row[column]!))
    .toSorted((left, right) => isOtherKind(left) - isOtherKind(right));
  const neighbour = others.find(
    (other) => other.owner.organization === owner.organization && other.owner.user !== owner.user,
  );
  const stranger = others.find(
    (other) => other.owner.organization !== undefined && other.owner.organization !== owner.organization,
  );
  const found: [string, OwnedRow][] = [];
  if (owner.user && neighbour?.owner.user) found.push(["another end user's", neighbour]);
  if (owner.organization && stranger) found.push(["another organization's", stranger]);
  const [any] = others;
  return found.length === 0 && any ? [["another row's", any]] : found;
};

/** Copies the other row's value. If the value must be unique, the rows exchange their values. */
const takeValue = async (
  raw: RawDatabase,
  { table, column, row, donor }: { table: Table; column: string; row: Row; donor: Row },
): Promise<void> => {
  try {
    await raw.update(table, row, { [column]: donor[column]! });
  } catch {
    const spare = spareValue(row[column] as Exclude<Value, null>);
    await raw.update(table, row, { [column]: spare });
    await raw.update(table, donor, { [column]: row[column]! });
    await raw.update(table, { ...row, [column]: spare }, { [column]: donor[column]! });
  }
};

const spareValue = (value: Exclude<Value, null>): Value => {
  if (typeof value === 'number') return 999_999_999;
  return Buffer.isBuffer(value) ? Buffer.alloc(value.length, 9) : 'spare';
};

const fillNull = (fixture: Fixture, context: ColumnContext, owned: OwnedRow): PartialChange[] => {
  const { table, column } = context;
  const { row, owner } = owned;
  const donors = donorsOf(context, owned).map(
    ([name, donor]): PartialChange => ({
      ...{ name: `${name} instead of null`, owner, donor: donor.owner, moved: [donor.row[column]!] },
      apply: (raw) => raw.update(table, row, { [column]: donor.row[column]! }),
    }),
  );
  const invented = inventedValues(`${table.name}.${column}`, fixture);
  return [
    ...donors,
    ...(donors.length > 0 ? [] : invented).map(
      (value): PartialChange => ({
        ...{ name: 'a value instead of null', owner, moved: [] },
        apply: (raw) => raw.update(table, row, { [column]: value }),
      }),
    ),
  ];
};

/** For columns that are null in every row of the fixture. */
const inventedValues = (column: string, { at }: Fixture): Value[] => {
  if (/_(at|until)$/.test(column)) return [new Date(at - seconds(60)).toISOString()];
  if (column === 'webhook_endpoints.disabled_reason') return ['failing'];
  if (column.endsWith('.lease_token')) return ['Sd8N2mF0pQkWzXc5vB7yTa'];
  if (column === 'jobs.last_failure') return ['internal'];
  return column === 'members.oidc_subject' ? ['https://idp.example\nsubject'] : [];
};
