// All rows, in the order of the table.
import { arrivalOrder, arrivalOrderOfMillion } from './arrivalOrder.ts';
import { cluster } from './cluster.ts';
import { depth } from './depth.ts';
import { heldRefresh, heldRefreshOnPostgres } from './heldRefresh.ts';
import { hundredRefreshes } from './hundredRefreshes.ts';
import { importing } from './importing.ts';
import { institutionSearch } from './institutionSearch.ts';
import { lockWaits } from './lockWaits.ts';
import { neighbours } from './neighbours.ts';
import { oneRecord } from './oneRecord.ts';
import { openConnections } from './openConnections.ts';
import { pageOfHundred } from './pageOfHundred.ts';
import { pageOnPostgres } from './pageOnPostgres.ts';
import { processes } from './processes.ts';
import type { Row } from './row.ts';
import { sameParts } from './sameParts.ts';
import { startUp } from './startUp.ts';
import { unchangedRefresh } from './unchangedRefresh.ts';
import { unpaginated } from './unpaginated.ts';
import { widget } from './widget.ts';

export const rows: Row[] = [
  pageOfHundred,
  pageOnPostgres,
  sameParts,
  cluster,
  oneRecord,
  arrivalOrder,
  arrivalOrderOfMillion,
  depth,
  hundredRefreshes,
  unpaginated,
  importing,
  lockWaits,
  unchangedRefresh,
  heldRefresh,
  heldRefreshOnPostgres,
  processes,
  openConnections,
  neighbours,
  institutionSearch,
  startUp,
  widget,
];
