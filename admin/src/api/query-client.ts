import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

/** What the server has told, by kind of object and scope. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiFailure && error.status === 0,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
