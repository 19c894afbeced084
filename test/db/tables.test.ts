// src/platform/db/tables.ts declares exactly the columns of the database, and a query with a wrong column does not compile.
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { type Queries, renameColumns, toSnakeCase } from '../../src/platform/db/queries.ts';
import { databases } from '../support/databases.ts';

const tablesFile = join(import.meta.dirname, '../../src/platform/db/tables.ts');

/** The columns of each table that tables.ts declares: `name`, or `name?` if null is allowed. */
const readDeclaredColumns = (): Record<string, string[]> => {
  const program = ts.createProgram([tablesFile], {
    strict: true,
    target: ts.ScriptTarget.ES2024,
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const declarations = new Map<string, string[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Tables') {
      for (const table of checker.getPropertiesOfType(checker.getTypeAtLocation(node))) {
        const row = checker.getTypeOfSymbolAtLocation(table, node);
        declarations.set(
          table.name,
          checker.getPropertiesOfType(row).map((column) => {
            const type = checker.getTypeOfSymbolAtLocation(column, node);
            const isNullable = type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Null);
            return `${toSnakeCase(column.name)}${isNullable ? '?' : ''}`;
          }),
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(tablesFile)!);
  return Object.fromEntries([...declarations].map(([table, columns]) => [table, columns.sort()]));
};

const readColumns = async ({ dialect, read }: Database): Promise<Record<string, string[]>> => {
  const sql =
    dialect === 'sqlite'
      ? `select t.name as "table", c.name as "column", not (c."notnull" or c.pk) as nullable
         from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`
      : `select table_name as "table", column_name as "column", is_nullable = 'YES' as nullable
         from information_schema.columns natural join information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await read.raw<{ table: string; column: string; nullable: unknown }[]>(sql);
  const own = rows.filter(({ table }) => !table.startsWith('sqlite_'));
  return Object.fromEntries(
    [...Map.groupBy(own, ({ table }) => table)].map(([table, columns]) => [
      table,
      columns.map(({ column, nullable }) => `${column}${nullable ? '?' : ''}`).sort(),
    ]),
  );
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('the declared columns are those of the database', async () => {
      const database = await kind.create();
      const db = await openDatabase(database.url);
      expect(readDeclaredColumns()).toEqual(await readColumns(db));
      await db.close();
      await database.drop();
    });

    test('columns have camelCase names in every kind of query', async () => {
      const database = await kind.create();
      const db = await openDatabase(database.url);
      const row = { loginFingerprint: Buffer.from([1]), loadId: 7 };
      const others = { organizationId: 'org', fingerprint: Buffer.from([2]), sealed: Buffer.from([3]) };
      await db.write('sandbox_logins').insert({ ...row, ...others });
      const byLoad = (queries: Queries) => queries('sandbox_logins').where({ loadId: 7 });
      await db.transaction(async (trx) => {
        expect(await byLoad(trx).select('loginFingerprint', 'loadId')).toEqual([row]);
      });
      expect(await db.read('sandbox_logins').where({ loadId: 7 }).first('*')).toEqual({ ...row, ...others });
      expect(await db.read('sandbox_logins').pluck('loadId')).toEqual([7]);
      expect(
        await db.write('sandbox_logins').where({ loadId: 7 }).update({ loadId: 8 }).returning('loadId'),
      ).toEqual([{ loadId: 8 }]);
      await db.close();
      await database.drop();
    });
  });
}

test('rows without compound names are returned as they are', () => {
  const rows = [{ id: 1, name: 'a' }];
  expect(renameColumns(rows)).toBe(rows);
});

/** Never called: the compiler checks each line. */
export const wrongQueries = ({ read }: Database) => {
  // @ts-expect-error: no such column
  read('connections').where({ end_user_id: 'x' });
  // @ts-expect-error: no such column
  read('connections').insert({ endUser: 'x' });
  // @ts-expect-error: wrong type of value
  read('connections').update({ revokedAt: 1 });
  const selected = read('connections').first('id');
  // @ts-expect-error: not selected
  selected.then((row) => row?.createdAt);
};
