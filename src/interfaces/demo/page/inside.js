// The second and third column: the rows as the database has them, and the backend's request with its response.
import { copyable } from './copyable.js';
import { element } from './elements.js';
import { formatCount, indentJson } from './format.js';

const sealedColumns = new Set(['sealed', 'wrapped', 'key_sealed', 'key_wrapped']);
const shownHexDigits = 24;

/** The newest row of each table. */
export const storedTables = (tables) =>
  tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ table, rows }) =>
      element(
        'section',
        { class: 'stored' },
        element(
          'h4',
          {},
          element('code', {}, table),
          rows.length > 1 ? element('small', {}, ` newest of ${rows.length} rows`) : null,
        ),
        element(
          'dl',
          {},
          Object.entries(rows[0]).flatMap(([column, value]) => [
            element('dt', {}, column),
            element('dd', { class: sealedColumns.has(column) && value && 'sealed' }, formatValue(value)),
          ]),
        ),
      ),
    );

const formatValue = (value) => {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  const { hex, bytes } = value;
  if (hex.length <= 2 * shownHexDigits) return hex;
  return `${hex.slice(0, shownHexDigits)}… ${formatCount(bytes)} bytes`;
};

/** A request to the service as a curl command, with placeholders for both credentials, and the response. */
export const exchangeView = (baseUrl, { path, status, milliseconds, hasToken, body }) => {
  const headers = ['Authorization: Bearer $API_KEY', ...(hasToken ? ['X-Scoped-Token: $SCOPED_TOKEN'] : [])];
  const curl = [`curl -sS "${baseUrl}${path}"`, ...headers.map((header) => `  -H "${header}"`)].join(' \\\n');
  return [
    copyable('Request', hasToken ? 'with the user’s token' : 'without a token', curl),
    element(
      'p',
      { class: 'answer' },
      element('span', { class: status < 400 ? 'tag good' : 'tag bad' }, String(status)),
      ` in ${formatCount(milliseconds)} ms`,
    ),
    element('pre', {}, element('code', {}, indentJson(body))),
  ];
};
