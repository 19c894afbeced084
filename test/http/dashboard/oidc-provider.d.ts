// As much of the provider's own shape as our test uses; it brings no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, settings: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
