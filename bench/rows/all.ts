// All rows, in the order of the table.
import { depth } from './depth.ts';
import { everything } from './everything.ts';
import { heldOpen } from './heldOpen.ts';
import { hundredRefreshes } from './hundredRefreshes.ts';
import { importing } from './importing.ts';
import { oneRecord } from './oneRecord.ts';
import { pageOfHundred } from './pageOfHundred.ts';
import { processes } from './processes.ts';
import { quietRefresh } from './quietRefresh.ts';
import type { Row } from './row.ts';
import { startUp } from './startUp.ts';
import { widget } from './widget.ts';

export const rows: Row[] = [
  pageOfHundred,
  oneRecord,
  depth,
  hundredRefreshes,
  everything,
  importing,
  quietRefresh,
  processes,
  heldOpen,
  startUp,
  widget,
];
