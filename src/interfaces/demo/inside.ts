// The internals of the service that the demo shows. Consumers cannot read these, so the process that serves the demo provides
// them; the demo itself imports only the client.

/** The value of a database column; for bytes, at most the first 2,048. */
export type StoredValue = string | number | null | { hex: string; bytes: number };

export type StoredTable = { table: string; rows: Record<string, StoredValue>[] };

/** A webhook of the demo's application, as an endpoint receives it. */
export type DemoEvent = { id: string; type: string; timestamp: string; data: { connectionId?: string } };

export type DemoInside = {
  /** The path of a sandbox bank's logo. */
  logoOf(institutionId: string): string | undefined;
  /** Rows of an account, of its newest transactions, of their blocks and of the blocks' data keys. Decrypts nothing. */
  readStoredRows(account: { connectionId: string; accountId: string }): Promise<StoredTable[]>;
  /** Makes the sandbox bank reject the stored credentials, and refreshes now, so that the user must reconnect. */
  makeBankAskAgain(connectionId: string): Promise<void>;
  /** The latest webhooks since the first call, oldest first. */
  readEvents(): Promise<readonly DemoEvent[]>;
};
