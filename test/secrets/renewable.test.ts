// A rotation re-encrypts all columns that the service's secrets unseal according to docs/columns.md, and re-signs all signatures. A
// column missing from the list would be lost with the old version of its secret.
import { expect, test } from 'vitest';
import { renewable } from '../../src/operations/secrets/renewRows.ts';
import { schemaText } from '../../src/platform/db/migrations/0001_tables.ts';
import { toSnakeCase } from '../../src/platform/db/queries.ts';
import { sealedColumns } from '../support/columnsDocument.ts';

const renewedWith = (secret: keyof typeof renewable): string[] =>
  renewable[secret].map(({ table, column }) => `${table}.${toSnakeCase(column)}`).sort();

/** The columns of the schema that contain bytes. */
const byteColumns = [...schemaText.replace(/--.*/g, '').matchAll(/create table (\w+) \(([^;]*)/g)].flatMap(
  ([, table, columns]) =>
    [...columns!.matchAll(/^ +(\w+) bytea/gm)].map(([, column]) => `${table}.${column}`),
);

test.each(['worker', 'sandbox'] as const)(
  'a rotation of %s re-encrypts each column that it unseals',
  (secret) => {
    expect(renewedWith(secret)).toEqual(sealedColumns(secret));
  },
);

test('a rotation of row-signing renews each signature', () => {
  const signatures = byteColumns.filter((name) => name.endsWith('.signature'));
  expect(renewedWith('row-signing')).toEqual(signatures.sort());
});

test('every other column with bytes is sealed with other keys, a fingerprint, or plain', () => {
  const plain = [
    ...['application_logos.bytes', 'institution_logos.bytes'],
    ...['end_users.public_key', 'passkeys.public_key', 'transactions.id'],
  ];
  const known = [...sealedColumns(), ...renewedWith('row-signing'), ...plain];
  expect(byteColumns.filter((name) => !known.includes(name))).toEqual([]);
  expect(byteColumns).toEqual(expect.arrayContaining(renewedWith('worker')));
});
