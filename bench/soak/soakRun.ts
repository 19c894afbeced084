// The state of a soak run.

import type { LinkedLogin } from '../data/linkLogin.ts';
import type { Consumer } from './consumer.ts';
import type { SoakFixture } from './fixture.ts';
import type { SeededRandom } from './seededRandom.ts';
import type { SupervisedProcess } from './supervisedProcess.ts';

export type SoakUser = { institutionId: string; username: string };
export type LinkedUser = SoakUser & LinkedLogin;

export type SoakRun = {
  fixture: SoakFixture;
  random: SeededRandom;
  apis: { url: string; process: SupervisedProcess }[];
  workers: SupervisedProcess[];
  linked: LinkedUser[];
  consumers: { consumer: Consumer; user: LinkedUser; account: LinkedUser['accounts'][number] }[];
  /** Link sessions that a kill broke. */
  failedLinks: number;
};

export const processesOf = ({ apis, workers }: SoakRun): SupervisedProcess[] => [
  ...apis.map(({ process }) => process),
  ...workers,
];
