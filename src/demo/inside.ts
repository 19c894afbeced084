// What the demo shows of the inside of the service. A consumer has none of it, so the process that serves the demo passes it
// in, and the demo itself imports nothing but the client.

export type DemoInside = {
  /** The path of a sandbox bank's logo. */
  logoOf(institutionId: string): string | undefined;
};
