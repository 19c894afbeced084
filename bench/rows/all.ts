// All rows, in the order of the table.
import { pageOfHundred } from './pageOfHundred.ts';
import type { Row } from './row.ts';

export const rows: Row[] = [pageOfHundred];
