// A software authenticator: creates ES256 passkeys and signs with them, according to WebAuthn Level 3, 6.1 and 6.5.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

// The subset of CBOR (RFC 8949) that an attestation of format "none" needs.
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const map = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

export type Authenticator = ReturnType<typeof makeAuthenticator>;

/** A passkey for the host of `origin`. */
export const makeAuthenticator = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpIdHash = sha256(new URL(origin).hostname);
  let counter = 0;
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, rest]);
  };
  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
    response,
  });
  return {
    /** The result of `navigator.credentials.create`. */
    create: (options: { challenge: string }) => {
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = map([
        [integer(1), integer(2)],
        [integer(3), integer(-7)],
        [integer(-1), integer(1)],
        [integer(-2), bytes(Buffer.from(x!, 'base64url'))],
        [integer(-3), bytes(Buffer.from(y!, 'base64url'))],
      ]);
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(
        present | verified | attested,
        Buffer.concat([Buffer.alloc(16), length, id, key]),
      );
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(data)],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The result of `navigator.credentials.get`; `back` decreases the counter, as on a cloned passkey. */
    get: (options: { challenge: string }, { back = 0 }: { back?: number } = {}) => {
      counter -= back;
      const data = authenticatorData(present | verified);
      const client = clientData('webauthn.get', options.challenge);
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
};
