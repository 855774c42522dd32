import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** What pages show besides themselves: first parts of query keys. */
const shownKinds: ReadonlySet<unknown> = new Set(['snippets', 'assets', 'global-blocks', 'entries', 'files']);

/** Counts changes of what a page may show besides itself. */
export function useContentVersion(): number {
  const client = useQueryClient();
  const [version, setVersion] = useState(0);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.state.isInvalidated && shownKinds.has(query.queryKey[0]))
          setVersion((before) => before + 1);
      }),
    [client],
  );
  return version;
}
