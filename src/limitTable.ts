// The table of limits: names, defaults, bounds and meanings. Each is a setting, in docs/settings.md in this order.

export type Limit = {
  standard: number;
  /** The smallest value; 1 if it is absent. */
  min?: number;
  /** The largest value; if it is absent that of the unit. */
  max?: number;
  /** What it limits, for docs/settings.md. */
  text: string;
};

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** The last word of a name is its unit; names in any other form are counts and have a largest value of their own. */
export const units = {
  Ms: { unit: 'milliseconds', max: 60_000 },
  Seconds: { unit: 'seconds', max: 3_600 },
  Minutes: { unit: 'minutes', max: 1_440 },
  Hours: { unit: 'hours', max: 8_784 },
  Days: { unit: 'days', max: 3_660 },
  Bytes: { unit: 'bytes', min: 1_024, max: 4 * gibibyte },
  Mib: { unit: 'MiB', max: 1_024 },
  Megabytes: { unit: 'MB', max: 1_000_000 },
  PerMinute: { unit: 'per minute', max: 10_000_000 },
} as const;

export const limitTable = {
  // Requests
  keepAliveSeconds: {
    standard: 75,
    text: 'how long an idle HTTP connection stays open; longer than in common proxies, so that they close it first',
  },
  databaseRequestMs: {
    standard: 4500,
    min: 100,
    text: 'how long a request waits for the database: for a connection, a lock and an answer; then it is answered with 503',
  },
  databaseJobSeconds: {
    standard: 300,
    text: 'how long anything else waits for the database, such as a job, or the rest of a list whose first rows were sent',
  },
  streamChunkRows: { standard: 128, max: 10_000, text: 'rows of one query while a list is streamed' },

  // Deletion
  retentionDays: { standard: 30, text: 'how long the data of a revoked connection is kept' },
  sweepEveryMinutes: { standard: 60, text: 'time between sweeps of expired data, jittered by 10 %' },
  sweepInitialDelaySeconds: { standard: 60, text: 'delay of the first sweep after a start' },
  vacuumEveryHours: { standard: 24, text: 'how often a SQLite file is vacuumed after deletions, at most' },
  vacuumMegabytesMax: {
    standard: 300,
    max: 1_000_000,
    text: 'larger SQLite files are vacuumed by `retention sweep` only: a vacuum blocks writes for about a second per 80 MB',
  },
  logTruncateSeconds: {
    standard: 5,
    text: 'how often SQLite’s write-ahead log is truncated, so that deleted credentials do not stay in it',
  },
  sweepGraceSeconds: {
    standard: 2,
    text: 'delay between hiding a connection and deleting its rows, for responses in progress',
  },
  unusedBlockSeconds: {
    standard: 60,
    text: 'how long a block of texts is kept after the last of them was replaced, for responses in progress',
  },
  sweepChunkRows: {
    standard: 500,
    max: 100_000,
    text: 'rows that one statement deletes, so that other statements run in between',
  },

  // Processes and secrets
  secretsPollMs: {
    standard: 2000,
    text: 'how often a process reads which versions of the secrets there are',
  },
  processReportSeconds: { standard: 15, text: 'how often a process reports that it runs' },
  processExpirySeconds: {
    standard: 60,
    text: 'a process that has not reported for this long is regarded as ended',
  },
  replacedCursorHours: {
    standard: 24,
    text: 'how long a page cursor made with an old secret is valid after the rotation',
  },
  rotationChunkRows: { standard: 200, max: 100_000, text: 'rows that one step of a rotation makes anew' },
  sandboxClockPollMs: { standard: 500, text: 'how often a process reads the offsets of the sandbox clocks' },

  // Linking
  linkSessionMinutes: { standard: 30, text: 'a link session expires this long after its last step' },
  closedLinkSessionDays: {
    standard: 30,
    text: 'how long an expired link session is kept without its sealed data, for statistics',
  },
  deliveryMinutes: {
    standard: 10,
    text: 'a connection whose result the page has not acknowledged is discarded after this long',
  },

  // Institutions
  connectorTimeoutSeconds: { standard: 60, text: 'how long one call of a connector may take' },
  connectorAnswerBytesMax: {
    standard: 32 * mebibyte,
    text: 'a longer answer of an institution, or more pages of one FinTS account, count as incomplete; all are in memory at once',
  },

  // Imports and refreshes
  refreshTimeoutSeconds: {
    standard: 1800,
    max: 86_400,
    text: 'a longer import or refresh is aborted and retried',
  },
  leaseSeconds: {
    standard: 30,
    max: 600,
    text: 'after this time another process takes over the jobs of one that died',
  },
  importAttemptsMax: {
    standard: 3,
    max: 100,
    text: 'attempts of an import while the bank cannot be reached',
  },
  importRetrySeconds: { standard: 2, text: 'delay between them' },
  importWaitingSeconds: {
    standard: 10,
    text: 'the widget says that an import waits if no worker has taken it up for this long',
  },
  refreshEveryHours: { standard: 6, text: 'time between the refreshes of a connection, jittered by 10 %' },
  refusedRefreshEveryHours: {
    standard: 24,
    text: 'the same while the bank refuses, and the end user repairs that elsewhere',
  },
  fullRefreshDays: {
    standard: 7,
    text: 'a refresh fetches the whole history if the last full one is this long ago',
  },
  unlistedAccountDays: {
    standard: 30,
    text: 'an account that the bank has not listed for this long loses its fingerprints by a replaced key, and is not recognized if the bank lists it again',
  },
  retryInitialSeconds: { standard: 60, text: 'delay after a bank failed; it doubles with each failure' },
  retryMaxHours: { standard: 6, text: 'the longest such delay' },
  workerConcurrency: { standard: 4, max: 1_000, text: 'refreshes that one worker does at a time' },
  workerConcurrencyPerInstitution: { standard: 2, max: 1_000, text: 'of these, at one institution' },
  workerPollMs: { standard: 500, text: 'how often a worker looks for jobs' },
  fetchChunkTransactions: {
    standard: 250,
    max: 100_000,
    text: 'transactions that a refresh processes before it yields to other tasks of the process',
  },
  mergeReadRows: {
    standard: 2000,
    max: 100_000,
    text: 'stored transactions that a merge reads with one query',
  },
  concurrentMergeBytes: {
    standard: 96 * mebibyte,
    text: 'bytes that the merges of one process need together for stored transactions; one that needs more runs alone',
  },
  mergeMemoryBytes: {
    standard: 2 * mebibyte,
    text: 'bytes of texts and sealed blocks that one refresh keeps in memory; more are stored before it is published',
  },
  blockSortBytes: {
    standard: 8 * mebibyte,
    text: 'texts are sorted by date and sealed into blocks when they have so many bytes',
  },
  clearStagedRows: {
    standard: 50,
    max: 10_000,
    text: 'rows of staged texts that one statement deletes after publishing; most have less than 64 KiB',
  },
  slowFingerprintMemoryMib: {
    standard: 19,
    min: 8,
    max: 1_024,
    text: 'memory of Argon2id for the fingerprints of account numbers and pending amounts, for new accounts',
  },
  slowFingerprintPasses: { standard: 2, max: 100, text: 'its passes' },
  pendingWindowDays: {
    standard: 14,
    max: 90,
    text: 'how many days the date may move when a pending transaction is posted',
  },
  overlapDays: {
    standard: 14,
    max: 365,
    text: 'a refresh fetches this many days before the last one again, because banks back-date transactions',
  },

  // Members
  memberSessionIdleHours: { standard: 12, text: 'a member’s session expires after this idle time' },
  memberSessionHours: { standard: 7 * 24, text: 'and after this total time' },
  signInAttemptsMinutes: {
    standard: 15,
    text: 'the window in which wrong passwords for an email from one address are counted; it begins with the first one',
  },
  signInAttemptsMax: { standard: 10, max: 1_000, text: 'wrong passwords in it' },
  signInAttemptsPerEmail: {
    standard: 100,
    max: 100_000,
    text: 'if an email has so many, over all addresses, an address’s next window for it is longer',
  },
  signInAttemptsSlowedMinutes: { standard: 60, text: 'the longer window' },
  invitationHours: { standard: 7 * 24, text: 'how long an invitation can be accepted' },
  resetLinkMinutes: { standard: 60, text: 'how long a reset link works' },

  // Statistics and logs
  connectionEventsMax: {
    standard: 100,
    max: 10_000,
    text: 'the newest events of a connection that are kept',
  },
  metricsFlushSeconds: { standard: 10, text: 'how often a process writes its metrics' },
  metricsRetentionDays: { standard: 31, text: 'how long metrics are kept' },

  // Sandbox files
  sandboxUploadBytesMax: {
    standard: 32 * mebibyte,
    text: 'a file of transactions that a member uploads: its bytes after unpacking',
  },
  sandboxUploadRowsMax: {
    standard: 100_000,
    max: 10_000_000,
    text: 'and its rows; an organization keeps at most ten times as many',
  },
  sandboxFileBytesMax: {
    standard: gibibyte,
    max: 64 * gibibyte,
    text: 'the same of a file that the operator loads from the command line: its bytes',
  },
  sandboxFileRowsMax: { standard: 5_000_000, max: 100_000_000, text: 'and its rows' },

  // The log of requests
  requestLogSuccessesMax: {
    standard: 1000,
    max: 1_000_000,
    text: 'the newest successful requests of an application that are kept',
  },
  requestLogFailuresMax: { standard: 10_000, max: 1_000_000, text: 'and the newest others' },
  requestLogDays: { standard: 7, text: 'how long requests are kept' },

  // Rate limits
  dashboardRequestsPerMinute: {
    standard: 1200,
    text: 'requests of one session of the dashboard, or of one address without one',
  },
  requestBodyBytesMax: { standard: 64 * 1024, text: 'the longest body of a request' },
  rateLimitFlushMs: {
    standard: 1000,
    text: 'how often a process writes its rate limit counts and reads those of all processes',
  },
  apiRequestsPerMinute: { standard: 6000, text: 'requests of one application' },
  apiRequestsInProgress: {
    standard: 4,
    max: 10_000,
    text: 'requests of one application that one process works on at a time; others wait in a queue',
  },
  apiQueueMs: {
    standard: 1000,
    text: 'how long a request waits in that queue; then it is answered with 429',
  },
  authFailuresPerMinute: { standard: 60, text: 'requests with invalid credentials from one client address' },
  widgetRequestsPerMinute: {
    standard: 600,
    text: 'requests of one link session, and from one client address those that open one or search institutions',
  },
  linkSignInsPerAddress: {
    standard: 30,
    max: 10_000_000,
    text: 'sign-ins at institutions by link sessions, per minute from one client address',
  },
  linkSignInsPerApplication: {
    standard: 600,
    max: 10_000_000,
    text: 'and per minute of one application: then addresses with an unsuccessful one in this minute are refused',
  },
  linkSignInsPerLogin: {
    standard: 10,
    max: 1_000,
    text: 'those of one login at an institution that have not succeeded',
  },
  linkSignInsPerLoginMinutes: { standard: 15, text: 'and in which time' },
  linkChallengeActionsMax: {
    standard: 5,
    max: 100,
    text: 'codes sent again, and other ways chosen, in one sign-in of a link session',
  },
  linkRejectionsMax: {
    standard: 5,
    max: 100,
    text: 'so many rejected credentials and answers end a link session',
  },

  // Webhooks
  webhookEndpointsMax: { standard: 10, max: 1_000, text: 'webhook endpoints of one application' },
  webhookPollMs: { standard: 1000, text: 'how often a worker looks for webhooks to deliver' },
  webhookConcurrency: {
    standard: 32,
    max: 1_000,
    text: 'how many webhooks a worker sends at a time, at most a quarter of them for one organization',
  },
  webhookConcurrencyPerEndpoint: { standard: 4, max: 1_000, text: 'of these, to one endpoint' },
  webhookTimeoutSeconds: { standard: 15, max: 300, text: 'how long an endpoint may take to answer' },
  webhookRetryAfterHoursMax: {
    standard: 12,
    text: 'the longest `Retry-After` of an endpoint that is obeyed',
  },
  webhookFailingDays: { standard: 5, text: 'an endpoint without a success for this long is disabled' },
  webhookReplacedSecretHours: {
    standard: 24,
    text: 'how long a replaced signing secret still signs, beside the new one',
  },
  webhookRetentionDays: { standard: 30, text: 'how long events and deliveries are kept' },

  // SimpleFIN
  simplefinClaimMinutes: { standard: 30, text: 'how long a setup token of SimpleFIN can be claimed' },
  simplefinReadsPerDay: {
    standard: 24,
    max: 10_000,
    text: 'how often an application may read with one [SimpleFIN](simplefin.md) access per day; days begin at midnight UTC',
  },
  simplefinDays: {
    standard: 90,
    text: 'the days of transactions that come where a SimpleFIN application does not say from when',
  },
  simplefinAccessesMax: { standard: 100, max: 10_000, text: 'SimpleFIN accesses of one end user' },
  webhookListenerSeconds: { standard: 30, text: 'how long a stopped `webhooks listen` still gets events' },
  shutdownDelaySeconds: {
    standard: 0,
    min: 0,
    max: 300,
    text: 'how long a process that was told to stop still accepts connections, while `/health/ready` is 503: as long as a load balancer needs to notice',
  },
  shutdownIdleMs: {
    standard: 1000,
    min: 0,
    text: 'how long a stopping process still takes requests on connections that were kept open',
  },
  shutdownTimeoutSeconds: {
    standard: 10,
    text: 'how long a stopping process waits for requests and jobs in progress',
  },
} as const satisfies Record<string, Limit>;
