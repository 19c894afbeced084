// Lets an application open the widget in native applications.
import { changeApplication } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import type { TestService } from './testService.ts';

/** Allows native use of an application, with these return addresses. */
export const allowNative = async (
  { service: { db } }: TestService,
  applicationId: string,
  returnAddresses: string[] = [],
): Promise<void> => {
  const application = (await findApplication(db.read, applicationId))!;
  const change = { nativeAllowed: true, returnAddresses };
  await changeApplication(db.write, application, { change, now: new Date() });
};
