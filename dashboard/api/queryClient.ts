// The query cache: results stay fresh for 5 seconds and are refetched on focus. A 401 from any request clears the session, which
// leads to the sign-in page; a missing passkey leads to the page that asks for it.
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError } from './apiClient.ts';

export const sessionQueryKey = ['session'] as const;

const isRetryable = (error: unknown): boolean =>
  error instanceof ApiError && ['unreachable', 'unavailable', 'internal_error'].includes(error.code);

const renewSession = (error: unknown): void => {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'unauthorized' && queryClient.getQueryData(sessionQueryKey)) {
    queryClient.setQueryData(sessionQueryKey, null);
  }
  if (error.code === 'passkey_required') void queryClient.invalidateQueries({ queryKey: sessionQueryKey });
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: renewSession }),
  mutationCache: new MutationCache({ onError: renewSession }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 1 && isRetryable(error),
      retryDelay: 1_000,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

type ApiMutationOptions<Result> = {
  /** The query keys to refetch after success. */
  invalidates?: QueryKey[];
  onSuccess?: (result: Result) => void;
};

/** A mutation that invalidates queries after success. */
export const useApiMutation = <Input, Result>(
  mutate: (input: Input) => Promise<Result>,
  { invalidates = [], onSuccess }: ApiMutationOptions<Result> = {},
): UseMutationResult<Result, Error, Input> => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: mutate,
    onSuccess: async (result) => {
      onSuccess?.(result);
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
};
