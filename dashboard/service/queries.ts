// How answers are kept: fresh for a few seconds, asked again when one returns to the page, and a session that is over
// leads to signing in from wherever it shows.
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { Refusal } from './conversation.ts';

export const sessionKey = ['session'] as const;

const triesAgain = (error: unknown): boolean =>
  error instanceof Refusal && ['unreachable', 'unavailable', 'internal_error'].includes(error.code);

const noticeEnd = (error: unknown): void => {
  if (error instanceof Refusal && error.code === 'unauthorized' && queries.getQueryData(sessionKey)) {
    queries.setQueryData(sessionKey, null);
  }
};

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 1 && triesAgain(error),
      retryDelay: 1_000,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

type ChangeOptions<Result> = {
  /** The answers that the change makes old. */
  refreshes?: QueryKey[];
  onDone?: (result: Result) => void;
};

/** A change at the service, after which what it made old is asked anew. */
export const useChange = <Input, Result>(
  change: (input: Input) => Promise<Result>,
  { refreshes = [], onDone }: ChangeOptions<Result> = {},
): UseMutationResult<Result, Error, Input> => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      onDone?.(result);
      await Promise.all(refreshes.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
};
