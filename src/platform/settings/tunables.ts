// Numbers that tests can replace and operators cannot: no environment variable reaches them. The last word of a name is its
// unit.

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

export const tunables = Object.freeze({
  // Requests
  streamChunkRows: 256, // rows of one query while a list is being streamed

  // Deletion
  sweepEveryMinutes: 60, // time between sweeps of expired data, jittered by 10 %
  sweepInitialDelaySeconds: 60, // delay of the first sweep after a start
  vacuumEveryHours: 24, // minimum time between vacuums of a SQLite file after deletions
  logTruncateSeconds: 5, // how often SQLite’s write-ahead log is truncated, so that deleted credentials do not stay in it
  sweepGraceSeconds: 2, // delay between hiding a connection and deleting its rows, for responses in progress
  unusedBlockSeconds: 60, // how long a block of texts is kept after the last of them was replaced, for responses in progress
  sweepChunkRows: 500, // rows that one statement deletes, so that other statements run in between

  // Processes and secrets
  secretsPollMs: 2000, // how often a process checks for other versions of the secrets
  processReportSeconds: 15, // how often a process reports that it is running
  processExpirySeconds: 60, // a process that has not reported for this long is regarded as ended
  replacedCursorHours: 24, // how long a page cursor with an old secret is valid after the rotation
  rotationChunkRows: 200, // rows that a rotation re-encrypts or re-signs in one transaction
  sandboxClockPollMs: 500, // how often a process reads the offsets of the sandbox clocks

  // Linking
  closedLinkSessionDays: 30, // how long an expired link session is kept without its sealed data, for statistics
  deliveryMinutes: 10, // a connection whose result the page has not acknowledged is discarded after this long

  // Institutions that change
  afterStartSeconds: 1, // a start does not wait for its index of institutions, for directories and for checks of connectors
  directoryPollSeconds: 30, // how often a process looks for a changed directory, and a worker for one that is due
  directoryEveryHours: 24, // how often a directory is fetched
  directoryRetryMinutes: 60, // delay after a failure, or after a process was killed while fetching
  institutionLogosAtOnce: 4, // logos that a worker fetches at a time
  institutionLogosMax: 5000, // logos that are fetched after one response from a directory
  institutionLogoSeconds: 10, // time limit for one of them

  // Imports and refreshes
  leaseSeconds: 30, // after this time another process takes over the jobs of one that died
  importAttemptsMax: 3, // attempts at an import while the bank cannot be reached
  importRetrySeconds: 2, // delay between them
  importWaitingSeconds: 10, // the widget shows that an import is waiting if no worker has picked it up for this long
  refusedRefreshEveryHours: 24, // time between refreshes while the bank refuses and the end user can fix it elsewhere
  fullRefreshDays: 7, // a refresh fetches the whole history if the last full one is this long ago
  retryInitialSeconds: 60, // delay after a bank failed; it doubles with each failure
  retryMaxHours: 6, // the longest such delay
  workerPollMs: 500, // how often a worker looks for jobs
  fetchChunkTransactions: 250, // transactions that a refresh processes before it yields to other tasks of the process
  mergeReadRows: 2000, // stored transactions that a merge reads with one query
  // Bytes that the merges of one process need together for stored transactions; one that needs more runs alone
  concurrentMergeBytes: 96 * mebibyte,
  // Bytes of texts and sealed blocks that one refresh keeps in memory; more are stored before it is published
  mergeMemoryBytes: 2 * mebibyte,
  blockSortBytes: 8 * mebibyte, // texts are sorted by date and sealed into blocks when they reach this size
  publishRowsMax: 1000, // rows of a new account that one transaction stores before publication; smaller accounts are stored at publication
  clearStagedRows: 50, // rows of staged texts that one statement deletes after publishing; most have less than 64 KiB
  pendingWindowDays: 14, // how many days the date may move when a pending transaction is posted
  overlapDays: 14, // a refresh fetches this many days before the last one again, because banks backdate transactions

  // Members
  // The window in which one address’s wrong passwords for an email are counted; it starts with the first one
  signInAttemptsMinutes: 15,
  signInAttemptsMax: 10, // wrong passwords in that window
  signInAttemptsPerEmail: 100, // if an email has this many across all addresses, an address’s next window for it is longer
  signInAttemptsSlowedMinutes: 60, // the longer window
  invitationHours: 7 * 24, // how long an invitation can be accepted
  resetLinkMinutes: 60, // how long a reset link works

  // Statistics and logs
  connectionEventsMax: 100, // the newest events of a connection that are kept
  metricsFlushSeconds: 10, // how often a process writes its metrics

  // Sandbox files
  sandboxUploadBytesMax: 32 * mebibyte, // a file of transactions that a member uploads: its bytes after unpacking
  sandboxUploadRowsMax: 100_000, // its rows; an organization keeps at most ten times as many
  sandboxFileBytesMax: gibibyte, // the same for a file that the operator loads from the command line: its bytes
  sandboxFileRowsMax: 5_000_000, // and its rows

  // The request log
  requestLogSuccessesMax: 1000, // the newest successful requests of an application that are kept
  requestLogFailuresMax: 10_000, // and the newest others

  // Rate limits
  requestBodyBytesMax: 64 * 1024, // the longest body of a request
  rateLimitFlushMs: 1000, // how often a process writes its rate limit counts and reads those of all processes
  apiQueueMs: 1000, // how long a request waits for API_REQUESTS_IN_PROGRESS; then the response is 429
  linkSignInsPerLogin: 10, // sign-ins with one login at an institution that have not succeeded
  linkSignInsPerLoginMinutes: 15, // the time in which they are counted
  linkChallengeActionsMax: 5, // codes resent, and other methods chosen, in one sign-in of a link session
  linkRejectionsMax: 5, // this many rejected credentials and answers end a link session

  // Webhooks
  webhookEndpointsMax: 10, // webhook endpoints of one application
  revocationPollMs: 5000, // how often a worker looks for consents to revoke at banks
  webhookPollMs: 1000, // how often a worker looks for webhooks to deliver
  webhookConcurrencyPerEndpoint: 4, // webhooks that a worker sends to one endpoint at the same time
  webhookRetryAfterHoursMax: 12, // the longest `Retry-After` from an endpoint that is obeyed
  webhookFailingDays: 5, // an endpoint without a success for this long is disabled
  webhookReplacedSecretHours: 24, // how long a replaced signing secret is used together with the new one

  // SimpleFIN
  simplefinClaimMinutes: 30, // how long a setup token of SimpleFIN can be claimed
  simplefinDays: 90, // the number of days of transactions for a SimpleFIN application that sends no start date
  simplefinAccessesMax: 100, // SimpleFIN apps of one end user
  webhookListenerSeconds: 30, // how long a stopped `webhooks listen` still gets events
  shutdownIdleMs: 1000, // how long a stopping process still accepts requests on keep-alive connections
});

export type Tunables = Readonly<Record<keyof typeof tunables, number>>;
