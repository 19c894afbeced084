// What keeps the operator's application from working, each with what to do.
import { BankUnreachable, type Check } from '@bank-connection/connector-kit';
import { connect, dataOf, type EnableBankingDeps } from './client.ts';
import { ProviderRefusal } from './refusals.ts';
import type { Schemas } from './schemas.ts';

const controlPanel = 'at https://enablebanking.com/cp/applications';

/** Throws BankUnreachable where the provider does not answer. */
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
    ? `Enable Banking refuses the IP address of this server: allow it for the application ${id} ${controlPanel}.`
    : `Enable Banking does not know the application ${id} with this key: ENABLE_BANKING_APPLICATION must be its id ${controlPanel}, and ENABLE_BANKING_KEY_FILE the key that was made with it.`;

const returnPath = '/connect/return';

const findProblems = (application: Schemas['Application']): string[] => {
  const { environment, active, redirect_urls: urls, countries, services, name } = application;
  const hasReturn = urls.some((url) => URL.canParse(url) && new URL(url).pathname.endsWith(returnPath));
  const registered = urls.join(', ') || 'none';
  const problems: [isProblem: boolean, text: string][] = [
    [
      environment === 'SANDBOX',
      'is of the sandbox, which has test banks only: register one with the environment Production',
    ],
    [
      !active,
      'is not active: link your own accounts to it, which makes it a restricted one that reads only these, or sign a contract',
    ],
    [!services.includes('AIS'), 'may not read accounts: register one with the service account information'],
    [
      !hasReturn,
      `has no redirect address of this service (${registered}): register BASE_URL followed by ${returnPath}`,
    ],
    [countries.length === 0, 'has no country: choose those of your banks'],
  ];
  return problems.flatMap(([isProblem, text]) =>
    isProblem ? `The application ${name} ${text}, ${controlPanel}.` : [],
  );
};
