// The state of a soak run.
import type { Consumer } from './consumer.ts';
import type { SoakFixture } from './fixture.ts';
import type { LinkedUser } from './linkUser.ts';
import type { SeededRandom } from './seededRandom.ts';
import type { SupervisedProcess } from './supervisedProcess.ts';

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
