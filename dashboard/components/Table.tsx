// biome-ignore-all lint/a11y/noRedundantRoles: explicit roles, see below.
// A table that a phone shows as a list. Roles are explicit because `display: block` removes them in some browsers.
import type { ReactNode } from 'react';
import { SkeletonLine } from './Skeleton.tsx';

export type Column<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** Aligned to the end, for numbers and buttons. */
  end?: boolean;
  /** Only screen readers get the heading. */
  hideHeading?: boolean;
};

type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** The first cell contains a link that covers the whole row. */
  isLinked?: boolean;
  /** The rows are from the previous query. */
  isStale?: boolean;
  /** The number of placeholder rows while loading. */
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
                <span className={column.hideHeading ? 'visually-hidden' : undefined}>{column.heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows
            ? rows.map((row) => (
                <tr key={keyOf(row)} role="row" className={isLinked ? 'linked' : undefined}>
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
        <SkeletonLine width={column === 0 ? '9rem' : '5rem'} />
      </td>
    ))}
  </tr>
);
