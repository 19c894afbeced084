// An application's current time in milliseconds. The sandbox's clock may be ahead of real time.
import { useQuery } from '@tanstack/react-query';
import type { Application } from '../api/applications.ts';
import { sandboxQuery } from '../api/sandbox.ts';
import { useOrgContext } from '../shell/orgContext.ts';

export const useApplicationNow = (application: Application | undefined): number => {
  const { organization } = useOrgContext();
  const isSandbox = application?.environment === 'sandbox';
  const { data } = useQuery({ ...sandboxQuery(organization.id), enabled: isSandbox });
  return Date.now() + (isSandbox && data ? data.clock.offsetSeconds * 1000 : 0);
};
