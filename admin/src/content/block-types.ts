import { queryOptions } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';

/** It changes with the snippets. */
export const blockTypesQuery = queryOptions({
  queryKey: ['block-types'],
  queryFn: () => ok(api.GET('/blocks/types')),
});
