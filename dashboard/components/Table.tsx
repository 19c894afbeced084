// biome-ignore-all lint/a11y/noRedundantRoles: a table that is not laid out as one loses its roles in some browsers.
// A table of rows, which a phone shows as a list, with its roles written out.
import type { ReactNode } from 'react';
import { SkeletonLine } from './Skeleton.tsx';

export type Column<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** At the end of the line, for numbers and buttons. */
  end?: boolean;
  /** The heading is for screen readers only, as over buttons. */
  hideHeading?: boolean;
};

type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** The first cell holds a link that covers the row. */
  isLinked?: boolean;
  /** What is shown belongs to the question before. */
  isStale?: boolean;
  /** How many lines to keep room for while the rows are on their way. */
  skeletonRows?: number;
};

export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, columns, rows, keyOf, isLinked, isStale, skeletonRows = 5 } = props;
  return (
    <div className="table-wrap">
      <table className={isStale ? 'table stale' : 'table'} role="table" aria-label={label} aria-busy={!rows}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.heading}
                scope="col"
                role="columnheader"
                className={column.end ? 'end' : undefined}
              >
                <span className={column.hideHeading ? 'unseen' : undefined}>{column.heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows
            ? rows.map((row) => (
                <tr key={keyOf(row)} role="row" className={isLinked ? 'link' : undefined}>
                  <Cells columns={columns} row={row} />
                </tr>
              ))
            : Array.from({ length: skeletonRows }, (_, line) => (
                <SkeletonRow key={line} columns={columns.length} />
              ))}
        </tbody>
      </table>
    </div>
  );
};

const Cells = <Row,>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) =>
  columns.map((column) => (
    <td
      key={column.heading}
      role="cell"
      data-label={column.hideHeading ? undefined : column.heading}
      className={column.end ? 'end' : undefined}
    >
      {column.cell(row)}
    </td>
  ));

const SkeletonRow = ({ columns }: { columns: number }) => (
  <tr role="row">
    {Array.from({ length: columns }, (_, column) => (
      <td key={column} role="cell">
        <SkeletonLine long={column === 0 ? '9rem' : '5rem'} />
      </td>
    ))}
  </tr>
);
