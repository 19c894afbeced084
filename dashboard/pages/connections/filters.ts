// The filters of the connection list, kept in the URL.
import { useSearchParams } from 'wouter';
import type { ConnectionFilters, ConnectionState } from '../../api/connections.ts';
import { filterOptions } from '../../components/Select.tsx';
import { stateLabels } from '../../labels/connections.ts';

export const lastRefreshOptions = [
  { value: 'any', label: 'Any time', hours: undefined },
  { value: 'hour', label: 'Over an hour ago', hours: 1 },
  { value: 'day', label: 'Over a day ago', hours: 24 },
  { value: 'week', label: 'Over a week ago', hours: 168 },
] as const;

export type LastRefresh = (typeof lastRefreshOptions)[number]['value'];

export const stateOptions = [
  ...filterOptions('Any state', stateLabels),
  { value: 'expiring', label: 'Consent expires within 7 days' },
] as const;

export type Filters = {
  search: string;
  institution: string;
  state: ConnectionState | 'any' | 'expiring';
  lastRefresh: LastRefresh;
};

const parseOption = <Value extends string>(
  options: readonly { value: Value }[],
  text: string | null,
): Value => (options.find(({ value }) => value === text) ?? options[0]!).value;

export const useFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters: Filters = {
    search: params.get('search') ?? '',
    institution: params.get('institution') ?? 'any',
    state: parseOption(stateOptions, params.get('state')),
    lastRefresh: parseOption(lastRefreshOptions, params.get('refreshed')),
  };
  const setFilters = (change: Partial<Filters>): void => {
    const { search, institution, state, lastRefresh } = { ...filters, ...change };
    const next = { search, institution, state, refreshed: lastRefresh };
    setParams(
      (current) => {
        const updated = new URLSearchParams(current);
        for (const [name, value] of Object.entries(next)) {
          if (value && value !== 'any') updated.set(name, value);
          else updated.delete(name);
        }
        return updated;
      },
      { replace: true },
    );
  };
  return { filters, setFilters };
};

/** The filters as query parameters. Times are rounded to 5 minutes, so that the query key is stable between renders. */
export const toQuery = (
  { search, institution, state, lastRefresh }: Filters,
  now: number,
): ConnectionFilters => {
  const hours = lastRefreshOptions.find(({ value }) => value === lastRefresh)?.hours;
  const rounded = Math.floor(now / 300_000) * 300_000;
  return {
    ...(search.trim() && { search: search.trim() }),
    ...(institution !== 'any' && { institutionId: institution }),
    ...(state === 'expiring'
      ? { state: 'active', consentExpiresBefore: new Date(rounded + 7 * 86_400_000).toISOString() }
      : state !== 'any' && { state }),
    ...(hours && { refreshedBefore: new Date(rounded - hours * 3_600_000).toISOString() }),
  };
};
