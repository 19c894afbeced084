// Checks the operator's application, and suggests a remedy for each problem.
import { BankUnreachable, type Check } from '@bank-connection/connector-kit';
import { connect, dataOf, type EnableBankingDeps } from './client.ts';
import { ProviderRefusal } from './refusals.ts';
import type { Schemas } from './schemas.ts';

const controlPanel = 'https://enablebanking.com/cp/applications';

/** Throws BankUnreachable if the provider does not respond. */
export const makeCheck =
  (deps: EnableBankingDeps): Check =>
  async (context) => {
    try {
      return findProblems(await dataOf(connect(deps, context).GET('/application')));
    } catch (error) {
      const refusal = error instanceof BankUnreachable ? error.cause : undefined;
      if (refusal instanceof ProviderRefusal && [401, 403].includes(refusal.status))
        return [refusedText(deps, refusal)];
      throw error;
    }
  };

const refusedText = ({ application: { id } }: EnableBankingDeps, { code }: ProviderRefusal): string =>
  code === 'UNAUTHORIZED_IP'
    ? `Enable Banking refuses the IP address of this server. Allow it for the application ${id} at ${controlPanel}.`
    : `Enable Banking does not know the application ${id} with this key. ENABLE_BANKING_APPLICATION must be its id at ${controlPanel}, and ENABLE_BANKING_KEY_FILE its private key.`;

const returnPath = '/connect/return';

/** The provider does not report whether an active application is restricted. */
const findProblems = (application: Schemas['Application']): string[] => {
  const { name, environment, active, redirect_urls: urls, countries, services } = application;
  const hasReturn = urls.some((url) => URL.canParse(url) && new URL(url).pathname.endsWith(returnPath));
  const registered = urls.join(', ') || 'none';
  const problems: [isProblem: boolean, what: string, remedy: string][] = [
    [
      environment === 'SANDBOX',
      'is a sandbox application, which has only test banks',
      'Register one with the environment Production',
    ],
    [
      !active,
      'is not active',
      'Link your own accounts, which restricts the application to them, or sign a contract',
    ],
    [!services.includes('AIS'), 'may not read accounts', 'Register one with the service AIS'],
    [
      !hasReturn,
      `has no redirect URL of this service (${registered})`,
      `Register BASE_URL followed by ${returnPath}`,
    ],
    [countries.length === 0, 'has no countries', 'Select the countries of your banks'],
  ];
  return problems.flatMap(([isProblem, what, remedy]) =>
    isProblem ? `The application ${name} ${what}. ${remedy} at ${controlPanel}.` : [],
  );
};
