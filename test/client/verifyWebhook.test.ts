// verifyWebhook refuses wrong signatures, times and bodies. test/webhooks/events.test.ts shows that it accepts the service's events.
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { UsageError, verifyWebhook, WebhookVerificationError } from '../../client/index.ts';
import { makeWebhookSecret, webhookHeaders } from '../../src/domain/webhooks/sendWebhook.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const secret = makeWebhookSecret();
const id = 'evt_4mS0ZBfcTYb0n9Ba9IpQtR';
const event = { type: 'webhook.test', timestamp: at.toISOString(), data: {} };
const body = JSON.stringify(event);
const headers: Record<string, string> = webhookHeaders({ id, at, body }, [secret]);

const verify = (changed: { headers?: Record<string, string>; body?: string; secret?: string; at?: Date }) =>
  verifyWebhook(changed.secret ?? secret, { ...headers, ...changed.headers }, changed.body ?? body, {
    at: changed.at ?? at,
  });

const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);

describe('verifyWebhook', () => {
  test('returns the event', () => {
    expect(verify({})).toEqual(event);
  });

  test('accepts any of several secrets, and any of several signatures', () => {
    const other = makeWebhookSecret();
    expect(verifyWebhook([other, secret], headers, body, { at })).toEqual(event);
    const both = webhookHeaders({ id, at, body }, [other, secret]);
    expect(verifyWebhook(secret, both, body, { at })).toEqual(event);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('names a missing %s', (name) => {
    const { [name]: _, ...rest } = headers;
    expect(() => verifyWebhook(secret, rest, body, { at })).toThrow(`The ${name} header is missing.`);
    expect(() => verifyWebhook(secret, rest, body, { at })).toThrow(WebhookVerificationError);
  });

  test('refuses times more than five minutes in the past or future', () => {
    expect(verify({ at: later(300) })).toEqual(event);
    expect(verify({ at: later(-300) })).toEqual(event);
    expect(() => verify({ at: later(301) })).toThrow(/five minutes/);
    expect(() => verify({ at: later(-301) })).toThrow(/five minutes/);
    expect(() => verify({ headers: { 'webhook-timestamp': 'now' } })).toThrow(/five minutes/);
  });

  test('refuses another body, id, time, secret or version', () => {
    const changes: Parameters<typeof verify>[0][] = [
      { body: `${body} ` },
      { headers: { 'webhook-id': 'evt_other' } },
      { headers: { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) } },
      { secret: makeWebhookSecret() },
      { headers: { 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') } },
      { headers: { 'webhook-signature': 'v1,' } },
      { headers: { 'webhook-signature': '' } },
    ];
    for (const change of changes) expect(() => verify(change)).toThrow(WebhookVerificationError);
  });

  test('refuses every signature with one changed character', () => {
    const [, signature = ''] = headers['webhook-signature']!.split(',');
    const position = fc.integer({ min: 0, max: signature.length - 3 });
    fc.assert(
      fc.property(position, fc.constantFrom(...'ABCabc012+/'), (index, character) => {
        fc.pre(signature[index] !== character);
        const changed = `v1,${signature.slice(0, index)}${character}${signature.slice(index + 1)}`;
        expect(() => verify({ headers: { 'webhook-signature': changed } })).toThrow(WebhookVerificationError);
      }),
    );
  });

  test.each([undefined, null, '', [], [secret, undefined], {}])(
    'says that the secret is missing: %o',
    (none) => {
      const call = () => verifyWebhook(none as never, headers, body, { at });
      expect(call).toThrow('The secret is missing');
      expect(call).toThrow(UsageError);
      expect(call).toThrow(TypeError);
    },
  );

  test('refuses a secret without a key', () => {
    expect(() => verifyWebhook('whsec_', headers, body, { at })).toThrow(UsageError);
  });

  test.each([event, undefined, null, [1, 2], new DataView(new ArrayBuffer(2))])(
    'asks for the raw body instead of %o',
    (parsed) => {
      const call = () => verifyWebhook(secret, headers, parsed as never, { at });
      expect(call).toThrow('pass the raw body');
      expect(call).toThrow(UsageError);
    },
  );

  test('accepts the raw body as text, a Buffer, bytes or an ArrayBuffer', async () => {
    const bytes = new TextEncoder().encode(body);
    for (const raw of [body, Buffer.from(body), bytes, bytes.buffer])
      expect(verifyWebhook(secret, headers, raw, { at })).toEqual(event);
  });

  test('reads the headers of fetch, even of another class of that name, and reports missing ones', () => {
    const other = { get: (name: string) => headers[name] ?? null };
    for (const given of [new Headers(headers), other as unknown as Headers])
      expect(verifyWebhook(secret, given, body, { at })).toEqual(event);
    expect(() => verifyWebhook(secret, undefined as never, body, { at })).toThrow(UsageError);
  });

  test('refuses everything while the time is invalid', () => {
    expect(() => verify({ at: new Date('today') })).toThrow(/five minutes/);
  });

  test('accepts signatures of another library', () => {
    const now = new Date();
    const signature = new Webhook(secret).sign(id, now, body);
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signature,
    };
    expect(verifyWebhook(secret, signed, body)).toEqual(event);
  });
});
