// Loads the benchmark's modules from any checkout, under their current and former names, so that each commit is measured with its
// own code on its own schema.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as fixtureModule from '../data/fixture.ts';
import type * as linkModule from '../data/linkLogin.ts';

type Named = Record<string, unknown>;

const findFile = (checkout: string, files: readonly string[]): string => {
  const file = files.find((path) => existsSync(join(checkout, path)));
  if (!file) throw new Error(`${checkout} has none of ${files.join(', ')}.`);
  return file;
};

const load = async (checkout: string, ...files: string[]): Promise<Named> =>
  import(pathToFileURL(join(checkout, findFile(checkout, files))).href);

const pick = <Type>(from: Named, ...names: string[]): Type => {
  const name = names.find((one) => from[one] !== undefined);
  if (!name) throw new Error(`There is none of ${names.join(', ')}.`);
  return from[name] as Type;
};

/** The program that serves the API of this checkout. */
export const serviceFile = (checkout: string): string =>
  findFile(checkout, ['bench/targets/service.ts', 'bench/contenders/service.ts']);

export type Login = { count: number; days: number; pending?: number };

const loginOf = ({ count, days, pending }: Login) => ({
  ...{ transactions: count, entries: count, span: count },
  ...{ days, pending },
});

type Location = fixtureModule.DatabaseLocation;
type LinkedLogin = linkModule.LinkedLogin;

export type CheckoutFixture = {
  apiKey: string;
  link(username: string, login: Login): Promise<LinkedLogin>;
  linkWithRefreshes(username: string, refreshes: number): Promise<LinkedLogin>;
};

/** A database with this checkout's schema and one application. */
export const makeFixture = async (checkout: string, location: Location): Promise<CheckoutFixture> => {
  const module = await load(checkout, 'bench/data/fixture.ts', 'bench/data/stage.ts');
  const make = pick<typeof fixtureModule.makeBenchFixture>(module, 'makeBenchFixture', 'setStage');
  const fixture = await make(location);
  const linkWithRefreshes = pick<typeof fixture.linkedWithRefreshes>(fixture, 'linkedWithRefreshes', 'grown');
  return {
    apiKey: fixture.apiKey,
    link: (username, login) => fixture.linked(username, loginOf(login)),
    linkWithRefreshes,
  };
};

export type CheckoutImporter = {
  setLogin(username: string, login: Login): void;
  link(username: string): Promise<LinkedLogin>;
  refresh(connectionId: string): Promise<unknown>;
  close(): Promise<void>;
};

/** A service from this checkout in this process, with its worker. */
export const startImporter = async (checkout: string, location: Location): Promise<CheckoutImporter> => {
  const module = await load(checkout, 'bench/data/fixture.ts', 'bench/data/stage.ts');
  const { addApplication, startImporter: start } = module as typeof fixtureModule;
  const linking = await load(checkout, 'bench/data/linkLogin.ts', 'bench/data/linkBank.ts');
  const link = pick<typeof linkModule.linkLogin>(linking, 'linkLogin', 'linkBank');
  const importer = await start(location);
  const { applicationId } = await addApplication(importer.service);
  const connector = pick<Named>(importer, 'generated', 'connector', 'bank');
  const setLogin = pick<(username: string, login: object) => void>(connector, 'setLogin', 'show');
  return {
    setLogin: (username, login) => setLogin(username, loginOf(login)),
    link: (username) => link(importer.url, { applicationId, username }),
    refresh: (connectionId) => importer.refresh(connectionId),
    close: () => importer.close(),
  };
};
