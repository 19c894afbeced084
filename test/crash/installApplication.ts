// Creates the first application of an empty database with the command line, as an operator does.
import { runCli, type Settings } from '../support/cli.ts';
import { hostOrigin } from '../support/testService.ts';

export type InstalledApplication = {
  organizationId: string;
  applicationId: string;
  apiKey: string;
  /** Runs another command and returns its result. Throws if it fails. */
  run(...args: string[]): Promise<Record<string, string>>;
};

export const installApplication = async (settings: Settings): Promise<InstalledApplication> => {
  const run = async (...args: string[]): Promise<Record<string, string>> => {
    const result = await runCli(settings, ...args, '--json');
    if (result.code !== 0) throw new Error(result.err);
    return result.json();
  };
  const { organizationId = '' } = await run('organizations', 'create', '--name', 'Tests');
  const options = ['--name', 'Shop', '--environment', 'sandbox', '--origin', hostOrigin];
  const { applicationId = '' } = await run('applications', 'create', ...options);
  const { apiKey = '' } = await run('api-keys', 'create', '--application', applicationId);
  return { organizationId, applicationId, apiKey, run };
};
