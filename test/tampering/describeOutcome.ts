// Describes the effects of a change briefly: all differences from a run without a change.
import { seconds } from '../../src/platform/values/clock.ts';
import { OperatorError } from '../../src/platform/values/errors.ts';
import { formatRefreshCursor } from '../../src/platform/values/ids.ts';
import type { Change } from './changes.ts';
import type { Fixture } from './fixtureTypes.ts';
import type { ChangeResult } from './runChange.ts';
import type { Observation } from './running.ts';
import { isDashboard, type Played } from './violations.ts';

/** A body without new ids and times, which differ in each run. Those of the fixture remain. */
const normalize = (fixture: Fixture, body: string): string => {
  const finished = new Date(fixture.at).toISOString();
  const lastCursor = formatRefreshCursor(fixture.at);
  return body
    .replace(/"requestId":"[^"]*"/, '')
    .replace(
      /\b(con|acc|txn|usr|lks|ses|psk|mem|inv|tok|key|app|org|whe|evt)_[0-9A-Za-z]{22}\b/g,
      (id, kind) => (fixture.ids.has(id) ? id : kind),
    )
    .replace(/\b[0-9a-z]{9}[0-9A-Za-z]{22}\b/g, 'event')
    .replace(/sct_[\w-]+/g, 'token')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time > finished && time < '3' ? 'new' : time))
    .replace(/"balance-date":(\d+)/g, (date, time) => (seconds(Number(time)) > fixture.at ? 'new' : date))
    .replace(/\btxr_\w+/g, (cursor) => (cursor > lastCursor ? 'new' : cursor))
    .replace(/"(requests|averageMs|slowestMs|total|count)":\d+/g, '');
};

type Compared = { observation: Observation; expected: Observation | undefined };

const keyOf = ({ by, request, foreign }: Observation): string => `${by}|${request}|${foreign}`;

/** A short description of all differences from a run without a change; `nothing` if there are none. */
export const describeOutcome = (
  fixture: Fixture,
  change: Change,
  result: ChangeResult,
  baseline: Played,
): string => {
  if (result.kind === 'refused by the database') return result.kind;
  if (result.kind === 'not started') {
    const isExplained = result.error instanceof OperatorError;
    return isExplained ? 'no process starts' : `no process starts (${result.error.name})`;
  }
  const expected = new Map(baseline.observations.map((observation) => [keyOf(observation), observation]));
  const compared = result.observations.map((observation) => ({
    observation,
    expected: expected.get(keyOf(observation)),
  }));
  const parts = [
    ...describeReads(fixture, change, compared, 'before'),
    ...describeReads(fixture, change, compared, 'after'),
    ...describeSessions(change, result, baseline),
    ...describeJobs(fixture, change, result, baseline),
    ...describeWebhooks(fixture, result, baseline),
    ...describeDashboard(fixture, compared),
  ];
  return parts.length === 0 ? 'nothing' : parts.join('; ');
};

const roleOf = (change: Change, by: string): string =>
  by === change.owner.user ? 'own' : by === change.donor?.user ? "the other's" : "others'";

/** The differences in the end users' reads, before and after the refreshes. */
const describeReads = (
  fixture: Fixture,
  change: Change,
  compared: Compared[],
  round: 'before' | 'after',
): string[] => {
  const effects = compared
    .filter(({ observation }) => !isDashboard(observation) && observation.request.startsWith(round))
    .flatMap(({ observation, expected }) => {
      const effect = effectOf(fixture, observation, expected!);
      return effect ? [`${roleOf(change, observation.by)} data ${effect}`] : [];
    });
  const when = round === 'before' ? '' : 'after the refresh ';
  return [...new Set(effects)].toSorted().map((effect) => when + effect);
};

const effectOf = (fixture: Fixture, observation: Observation, expected: Observation): string | undefined => {
  if (observation.foreign) {
    if (observation.status < 300) return 'of others shown';
    return observation.status < 500 ? undefined : 'of others 500';
  }
  if (observation.status !== expected.status) {
    if (observation.status === 403 || observation.status === 404) return 'missing';
    return String(observation.status);
  }
  return normalize(fixture, observation.body) === normalize(fixture, expected.body) ? undefined : 'different';
};

/** The last response of each session, which shows its result. */
const describeSessions = (change: Change, result: Played, baseline: Played): string[] => {
  const ends = (played: Played): Map<string, string> => {
    const last = new Map<string, string>();
    for (const { by, request, status, body } of played.observations) {
      const name = /^(?:session "(.+)"|new session)/.exec(request);
      if (!name || request.includes('with the secret')) continue;
      const view = status < 300 && body.startsWith('{') ? JSON.parse(body).view : undefined;
      const end = view ? `${view.state}${view.reason ? ` (${view.reason})` : ''}` : String(status);
      last.set(`${roleOf(change, by)} ${name[1] ?? 'new reconnect'}`, end);
    }
    return last;
  };
  const expected = ends(baseline);
  return [...ends(result)]
    .filter(([name, end]) => expected.get(name) !== end)
    .map(([name, end]) => `${name}: ${end}`)
    .toSorted();
};

const describeJobs = (fixture: Fixture, change: Change, result: Played, baseline: Played): string[] => {
  const ownerOf = (connectionId: string): string | undefined =>
    fixture.users.find(({ connections }) => connections.some(({ id }) => id === connectionId))?.name;
  const describe = (what: string, found: Map<string, string>, before: Map<string, string>) =>
    [...found]
      .filter(([id, reason]) => before.get(id) !== reason)
      .map(([id, reason]) => `${roleOf(change, ownerOf(id) ?? '')} refresh ${what}: ${reason}`);
  return [
    ...new Set([
      ...describe('fails', result.failures, baseline.failures),
      ...describe('stops', result.reconnectReasons, baseline.reconnectReasons),
    ]),
  ].toSorted();
};

/** Describes missing, additional and different events of endpoints. */
const describeWebhooks = (fixture: Fixture, result: Played, baseline: Played): string[] => {
  const count = ({ webhooks }: Played): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { organization, environment, body } of webhooks) {
      const key = `${organization} ${environment} ${normalize(fixture, body)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const [found, expected] = [count(result), count(baseline)];
  const isLess = [...expected].some(([key, times]) => (found.get(key) ?? 0) < times);
  const isMore = [...found].some(([key, times]) => (expected.get(key) ?? 0) < times);
  if (isLess && isMore) return ['webhooks different'];
  return isLess ? ['webhooks missing'] : isMore ? ['more webhooks'] : [];
};

const describeDashboard = (fixture: Fixture, compared: Compared[]): string[] => {
  const effects = compared
    .filter(({ observation }) => isDashboard(observation))
    .flatMap(({ observation, expected }) => {
      if (!expected) return [`dashboard ${observation.status}`];
      if (observation.request.includes('overview') && observation.status === expected.status) return [];
      const effect = effectOf(fixture, observation, expected);
      const page = observation.request
        .replace(/\?.*/, '')
        .split('/')
        .findLast((part) => /^[a-z-]+$/.test(part));
      return effect ? [`dashboard ${page} ${effect}`] : [];
    });
  return [...new Set(effects)].toSorted();
};
