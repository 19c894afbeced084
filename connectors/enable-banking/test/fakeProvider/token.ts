// The fake provider's application, and the check of its tokens.
import { generateKeyPairSync } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { daySeconds } from './bank.ts';
import type { Schemas } from './contract.ts';

/** One pair for all providers in a process. A real application's key is longer and takes seconds to generate. */
export const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const makeApplication = (): Schemas['Application'] => ({
  ...{ name: 'Test application', kid: '4f3c1f0e-6a52-4c0b-9d6e-2f3a7c1b8e90', environment: 'PRODUCTION' },
  ...{ redirect_urls: [], active: true, countries: ['DE'], services: ['AIS'] },
});

/** True if the `Authorization` header has a token of this application that is valid now and for at most a day. */
export const isValidToken = async (
  authorization: string | undefined,
  { kid, now }: { kid: string; now: Date },
): Promise<boolean> => {
  const [scheme, token = ''] = authorization?.split(' ') ?? [];
  try {
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      ...{
        algorithms: ['RS256'],
        typ: 'JWT',
        issuer: 'enablebanking.com',
        audience: 'api.enablebanking.com',
      },
      ...{ currentDate: now, requiredClaims: ['exp'], maxTokenAge: daySeconds },
    });
    return scheme === 'Bearer' && protectedHeader.kid === kid && payload.exp! - payload.iat! <= daySeconds;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
};
