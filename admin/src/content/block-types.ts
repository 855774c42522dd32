import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';

/** It changes with the snippets. */
export const blockTypesQuery = queryOptions({
  queryKey: ['block-types'],
  queryFn: () => requireData(api.GET('/blocks/types')),
});
