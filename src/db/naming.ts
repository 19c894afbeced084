// Column names: snake_case in SQL, camelCase in TypeScript. The clients of open.ts convert the identifiers of each query
// that Knex builds, and the columns of its result. SQL written by hand (`raw`) uses snake_case, also in its result.

const snakeCaseNames = new Map<string, string>();

/** `endUserId` becomes `end_user_id`. Names in snake_case do not change. */
export const toSnakeCase = (name: string): string => {
  let converted = snakeCaseNames.get(name);
  if (converted === undefined) {
    converted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeCaseNames.set(name, converted);
  }
  return converted;
};

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Renames the columns of rows that all have the same columns. */
export const renameColumns = (rows: Record<string, unknown>[]): Record<string, unknown>[] => {
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.some((column) => column.includes('_'))) return rows;
  const names = columns.map(toCamelCase);
  return rows.map((row) => {
    const renamed: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) renamed[name] = row[columns[index]!];
    return renamed;
  });
};
