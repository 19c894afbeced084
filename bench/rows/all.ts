// All rows, in the order of the table.
import { depth } from './depth.ts';
import { hundredRefreshes } from './hundredRefreshes.ts';
import { importing } from './importing.ts';
import { oneRecord } from './oneRecord.ts';
import { openConnections } from './openConnections.ts';
import { pageOfHundred } from './pageOfHundred.ts';
import { processes } from './processes.ts';
import type { Row } from './row.ts';
import { startUp } from './startUp.ts';
import { unchangedRefresh } from './unchangedRefresh.ts';
import { unpaginated } from './unpaginated.ts';
import { widget } from './widget.ts';

export const rows: Row[] = [
  pageOfHundred,
  oneRecord,
  depth,
  hundredRefreshes,
  unpaginated,
  importing,
  unchangedRefresh,
  processes,
  openConnections,
  startUp,
  widget,
];
