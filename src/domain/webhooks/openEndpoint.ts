// Opens what the worker needs of a webhook endpoint. Nothing that answers requests imports this file.
import { CorruptData } from '../../platform/values/errors.ts';
import type { KeyPair } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import type { OpenEndpoint } from './deliver.ts';
import type { SealedEndpoint } from './endpoints.ts';

/** Opens endpoints with the worker's keys. Throws CorruptData if the endpoint or its application was changed. */
export const makeOpenEndpoint =
  (workerKeys: Keyset<KeyPair>): OpenEndpoint =>
  ({ id, applicationId, secret, replacedSecret, replacedSecretExpiresAt: expiresAt }, now) => {
    const open = (sealed: Buffer): SealedEndpoint => {
      const opened = unsealForWorker<SealedEndpoint>(sealed, ['webhookEndpoint', id], workerKeys);
      if (opened.applicationId === applicationId) return opened;
      throw new CorruptData('The application of a webhook endpoint was changed.');
    };
    const current = open(secret);
    const isReplacedValid = replacedSecret !== null && expiresAt !== null && expiresAt > now.toISOString();
    const secrets = [current, ...(isReplacedValid ? [open(replacedSecret)] : [])];
    return { url: current.url, secrets: secrets.map((one) => one.secret) };
  };
