// Switches between Sandbox and Production applications.
import { useId } from 'react';
import { useLocation } from 'wouter';
import { useOrgContext } from './orgContext.ts';
import { type Environment, environmentLabels, useEnvironment } from './useEnvironment.ts';

const environments: Environment[] = ['sandbox', 'production'];

export const EnvironmentSwitch = () => {
  const { chooseEnvironment } = useOrgContext();
  const [path, navigate] = useLocation();
  const environment = useEnvironment();
  const name = useId();
  const choose = (next: Environment) => {
    chooseEnvironment(next);
    // The other environment's page, without the application in the URL.
    navigate(pathWithoutApplication(path));
  };
  return (
    <fieldset className="environment-switch">
      <legend className="visually-hidden">Environment</legend>
      {environments.map((one) => (
        <label key={one} data-environment={one}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={one === environment}
            onChange={() => choose(one)}
          />
          {environmentLabels[one]}
        </label>
      ))}
    </fieldset>
  );
};

/** The list to which a page about one application, connection or endpoint belongs; other pages stay. */
const pathWithoutApplication = (path: string): string =>
  path.replace(/\/applications\/app_\w+\/(connections|webhooks)\/.*$/, '/$1').replace(/\/app_\w+.*$/, '');
