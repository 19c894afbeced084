// An operator sets the password of a login.
import { expect, test } from 'vitest';
import {
  makeConnector,
  organizationId,
  signIn,
  signInDirectly,
} from '../../../connectors/sandbox/test/fixture.ts';
import { makeMemoryStorage } from '../../../connectors/sandbox/test/memoryStorage.ts';
import { setPassword } from '../../../src/domain/institutions/sandbox/setPassword.ts';
import { BankRefused } from '../../../src/platform/values/errors.ts';

test('a password that an operator sets is the only one that is accepted', async () => {
  const storageOf = makeMemoryStorage();
  const storage = storageOf(organizationId);
  const connector = makeConnector(storageOf);
  const { deviceToken } = await signInDirectly(connector, { username: 'good' });
  await setPassword(storage, 'good', 'open sesame');
  const unattended = { username: 'good', attended: false, deviceToken };
  const refused = signIn(connector, unattended);
  await expect(refused).rejects.toBeInstanceOf(BankRefused);
  await expect(refused).rejects.toMatchObject({ reason: 'wrong_credentials' });
  await signInDirectly(connector, { ...unattended, password: 'open sesame' });
  await signInDirectly(connector, { username: 'usd' });
  await expect(setPassword(storage, 'nobody', 'x')).rejects.toThrow('has no login "nobody"');
  await expect(setPassword(storage, 'good', '')).rejects.toThrow('must not be empty');
});
