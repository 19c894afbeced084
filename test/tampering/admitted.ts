// Accepted risks: a change of these columns shows somebody data that is not theirs. docs/columns.md lists each column as trusted.
// An entry that no longer causes a violation is an error.
import type { Change } from './changes.ts';
import type { Violation, ViolationKind } from './violations.ts';

export type Admitted = { column: string; kind: ViolationKind };

const admit = (kind: ViolationKind, columns: string[]): Admitted[] =>
  columns.map((column) => ({ column, kind }));

export const admitted: Admitted[] = [
  // A member becomes a member of the other organization, or another member.
  ...admit("another organization's data in the dashboard", [
    ...['members.id', 'members.email', 'passkeys.member_id', 'memberships.organization_id'],
    ...['memberships.member_id', 'member_sessions.secret_hash', 'member_sessions.member_id'],
    ...['member_tokens.token_hash', 'member_tokens.organization_id'],
  ]),
  // An application, an audit event or a connection moves to the other organization.
  ...admit("another organization's data in the dashboard", [
    ...['organizations.id', 'applications.id', 'applications.organization_id'],
    ...['audit_events.organization_id', 'connections.application_id'],
    ...['simplefin_accesses.application_id', 'webhook_endpoints.application_id'],
  ]),
  // The connection is listed for the other end user, without accounts.
  ...admit("another end user's id", ['connections.end_user_id']),
  ...admit("another application's or user's credentials accepted", [
    ...['connections.id', 'connections.end_user_id'],
  ]),
  // The event is about a connection of the other organization: it has ids, but no bank data.
  ...admit("another organization's webhook", [
    ...['webhook_deliveries.endpoint_id', 'webhook_deliveries.body'],
  ]),
  // The end user's scoped token is valid with an API key of the other application.
  ...admit("another application's or user's credentials accepted", ['end_users.application_id']),
];

/** The entry that accepts a violation after a change. */
export const admittedBy = ({ table, column }: Change, { kind }: Violation): Admitted | undefined =>
  admitted.find((entry) => entry.column === `${table}.${column}` && entry.kind === kind);

/** Columns that no change covers, with the reason. */
const atBank = 'set while the user is on the page of the bank: test/linking/redirect.test.ts changes it';
const notGivenBack =
  'no bank of this test takes a consent back: test/linking/givenBack.test.ts has one that does';
const revocationColumns = [
  ...['id', 'application_id', 'organization_id', 'environment', 'institution_id', 'link_session_id'],
  ...['connection_id', 'credentials', 'created_at', 'due_at'],
];
const noDirectory =
  'set where a connector has a directory: test/institutions/directory.test.ts changes its list';
const directoryColumns = [
  ...['connector', 'version', 'due_at', 'institutions', 'signature'].map((name) => `directories.${name}`),
  ...['institution_logos.hash', 'institution_logos.bytes'],
];
const pausedBank =
  'set where a bank was asked too often: it decides when it is asked again, and nothing else';

export const unreachedColumns: Record<string, string> = {
  'accounts.missing_from': 'set where a bank leaves out transactions: refreshes only compare dates with it',
  'accounts.starts_on': 'set where a bank changes a currency: refreshes only compare dates with it',
  'accounts.replaced_by':
    'set where a bank changes a currency: an id that is shown, which nothing is read by',
  'bank_pauses.key': pausedBank,
  'bank_pauses.until': pausedBank,
  'bank_pauses.pauses': pausedBank,
  'connections.offered_fingerprints':
    'set where a bank lists accounts that are not shared: they decide whether the application is told',
  ...Object.fromEntries(revocationColumns.map((column) => [`consent_revocations.${column}`, notGivenBack])),
  ...Object.fromEntries(directoryColumns.map((column) => [column, noDirectory])),
  'jobs.not_before': pausedBank,
  'link_sessions.return_address': 'set in native applications only: test/linking/redirect.test.ts changes it',
  'link_sessions.return_hash': atBank,
  'link_sessions.return_sealed': atBank,
  'transactions.missing_since':
    'set where a bank leaves out transactions: it decides when one that is missing becomes void',
};
