// Finds forbidden effects of a change: somebody reads data of others, or credentials reach another bank.
import { deriveKeyPair } from '../../src/platform/vault/keys.ts';
import { unsealBox } from '../../src/platform/vault/seal.ts';
import { attacker, type Change } from './changes.ts';
import { type Fixture, organizationNames } from './fixtureTypes.ts';
import type { Value } from './rawDatabase.ts';
import type { Box, ChangeResult } from './runChange.ts';
import type { Observation } from './running.ts';

export type Violation = { kind: ViolationKind; text: string };
export type ViolationKind =
  | "another end user's text"
  | "another end user's id"
  | "another application's or user's credentials accepted"
  | "another organization's data in the dashboard"
  | 'credentials at another bank'
  | "another organization's webhook"
  | 'a webhook signed for another endpoint'
  | 'sealed to another key'
  | 'a failure for others'
  | 'unhandled rejection';

export type Played = Extract<ChangeResult, { kind: 'played' }>;

const userNames = (fixture: Fixture): string[] => [...fixture.users.map(({ name }) => name), 'dorothea'];

/** The ids that belong to an end user. */
const idsOf = (fixture: Fixture, name: string): string[] =>
  fixture.users
    .filter((user) => user.name === name)
    .flatMap(({ endUserId, connections }) => [
      endUserId,
      ...connections.flatMap(({ id, accountIds }) => [id, ...accountIds]),
    ]);

export const isDashboard = ({ by }: Observation): boolean => by.includes(' of ');

const judgeUserResponse = (fixture: Fixture, observation: Observation): Violation[] => {
  const { by, request, status, body, foreign } = observation;
  const found: Violation[] = [];
  const add = (kind: ViolationKind, what: string) => found.push({ kind, text: `${by}: ${request}: ${what}` });
  if (foreign && status < 300) add("another application's or user's credentials accepted", String(status));
  const text = body.toLowerCase();
  for (const name of userNames(fixture)) {
    if (name === by) continue;
    if (text.includes(name)) add("another end user's text", name);
    const id = idsOf(fixture, name).find((one) => body.includes(one) && !request.includes(one));
    if (id) add("another end user's id", `${id.slice(0, 3)} of ${name}`);
  }
  return found;
};

const judgeDashboardResponse = (fixture: Fixture, observation: Observation): Violation[] => {
  const { by, request, status, body, foreign } = observation;
  const kind = "another organization's data in the dashboard";
  if (foreign && status < 300) return [{ kind, text: `${by}: ${request}: ${status}` }];
  const other = organizationNames.find((name) => !by.endsWith(name))!;
  const { id, production, sandbox, owner } = fixture.organizations.find(({ name }) => name === other)!;
  const users = fixture.users.filter(({ organization }) => organization === other).map(({ name }) => name);
  const texts = [other, owner.email, ...users].map((text) => text.toLowerCase());
  const ids = [id, production.id, sandbox.id, ...users.flatMap((name) => idsOf(fixture, name))];
  const text = body.toLowerCase();
  const found =
    texts.find((one) => text.includes(one)) ??
    ids.find((one) => body.includes(one) && !request.includes(one));
  return found ? [{ kind, text: `${by}: ${request}: ${found}` }] : [];
};

const opens = (secret: Buffer, { sealed }: Box): boolean => {
  try {
    return unsealBox(deriveKeyPair(secret), sealed).length > 0;
  } catch {
    return false;
  }
};

/** Boxes sealed since the change must open with the key of their owner. */
const judgeBoxes = (fixture: Fixture, { boxes, boxesBefore }: Played): Violation[] => {
  const known = new Set(boxesBefore.map(({ sealed }) => sealed?.toString('base64')));
  return boxes
    .filter(({ sealed }) => sealed && !known.has(sealed.toString('base64')))
    .flatMap((box) => {
      const owner =
        fixture.users.find(({ connections }) => connections.some(({ id }) => id === box.connectionId)) ??
        fixture.users.find(({ endUserId }) => endUserId === box.endUserId);
      // A new end user of a link session has no token here.
      if (owner ? opens(owner.secret, box) : !opens(attacker, box)) return [];
      return [
        {
          kind: 'sealed to another key' as const,
          text: `${box.table} of ${owner?.name ?? 'a new end user'}`,
        },
      ];
    });
};

const judgeReceived = ({ received }: Played): Violation[] =>
  received
    .filter(({ bank, text }) => !text.includes(`@${bank}`) || text.replaceAll(`@${bank}`, '').includes('@'))
    .map(({ bank, text }) => ({ kind: 'credentials at another bank', text: `${bank} received ${text}` }));

/** Each endpoint receives only events of its own organization, signed with its secret. */
const judgeWebhooks = (fixture: Fixture, { webhooks }: Played, moved: string[]): Violation[] =>
  webhooks.flatMap(({ organization, environment, body, signed }): Violation[] => {
    const at = `${organization} (${environment})`;
    if (!signed) return [{ kind: 'a webhook signed for another endpoint', text: at }];
    const others = fixture.users.filter((user) => user.organization !== organization);
    const ids = others.flatMap(({ name }) => idsOf(fixture, name));
    const id = ids.find((one) => without(body, moved).includes(one));
    return id ? [{ kind: "another organization's webhook", text: `${at}: ${id.slice(0, 3)}` }] : [];
  });

/** A damaged row causes a 500 for its owners, but not for others. */
const judgeFailures = (fixture: Fixture, { observations }: Played, { owner, donor }: Change): Violation[] => {
  const concerned = [owner, ...(donor ? [donor] : [])];
  const isConcerned = (by: string): boolean =>
    concerned.some(({ user, organization }) => {
      if (user !== undefined && !by.includes(' of ')) return user === by;
      return organization === undefined || organization === organizationOf(fixture, by);
    });
  return observations
    .filter(({ by, status, foreign }) => status >= 500 && !foreign && !isConcerned(by))
    .map(({ by, request, status }) => ({
      kind: 'a failure for others',
      text: `${by}: ${request}: ${status}`,
    }));
};

const organizationOf = (fixture: Fixture, by: string): string =>
  organizationNames.find((name) => by.endsWith(name)) ??
  fixture.users.find(({ name }) => name === by)?.organization ??
  'Globexinc';

/**
 * The violations after a change: effects that no change may have. A plain value that was copied from another row appears in its new
 * row. That alone is not a violation, because an attacker with write access has already read the value.
 */
export const findViolations = (fixture: Fixture, result: Played, change?: Change): Violation[] => {
  const moved = (change?.moved ?? []).flatMap(textsOf);
  const responses = result.observations
    .map((observation) => ({ ...observation, body: without(observation.body, moved) }))
    .flatMap((observation) =>
      isDashboard(observation)
        ? judgeDashboardResponse(fixture, observation)
        : judgeUserResponse(fixture, observation),
    );
  const rejections = result.unhandled.map(
    (error): Violation => ({ kind: 'unhandled rejection', text: String(error) }),
  );
  const failures = change ? judgeFailures(fixture, result, change) : [];
  return [
    ...responses,
    ...failures,
    ...judgeBoxes(fixture, result),
    ...judgeReceived(result),
    ...judgeWebhooks(fixture, result, moved),
    ...rejections,
  ];
};

/** A value as shown in responses: the parts of a JSON list or object one by one. */
const textsOf = (value: Value): string[] => {
  if (typeof value !== 'string' || value.length < 4) return [];
  if (!/^[[{]/.test(value)) return [value];
  return Object.values(JSON.parse(value)).filter((part) => typeof part === 'string');
};

const without = (body: string, texts: string[]): string =>
  texts.reduce((rest, text) => rest.replaceAll(JSON.stringify(text).slice(1, -1), ''), body);
