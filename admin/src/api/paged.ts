import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiFailure, recordOf } from './failure.ts';

/** Rows of one request. */
const pageSize = 100;

export interface Part<Row> {
  readonly rows: readonly Row[];
  /** Number of all rows that fit. */
  readonly count: number;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** A long list of the server, of which only what is on the screen is asked for. */
export interface Paged<Row> {
  /** Undefined until the first answer. */
  readonly count: number | undefined;
  readonly error: unknown;
  /** The row at a place; undefined until it has come. */
  at(index: number): Row | undefined;
}

/**
 * @param key what is listed; another key is another list
 * @param range places that are on the screen
 */
export function usePaged<Row>(
  key: readonly unknown[],
  load: (place: { limit: number; offset: number; signal: AbortSignal }) => Promise<Part<Row>>,
  range: Range,
): Paged<Row> {
  const firstPage = Math.floor(range.first / pageSize);
  const lastPage = Math.max(firstPage, Math.floor(range.last / pageSize));
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, { page }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        load({ limit: pageSize, offset: page * pageSize, signal }),
    })),
  });
  const name = JSON.stringify(key);
  const known = useRef<{ name: string; count: number }>(undefined);
  const count = results.find(({ data }) => data !== undefined)?.data?.count;
  if (count !== undefined) known.current = { name, count };
  return {
    count: known.current?.name === name ? known.current.count : undefined,
    error: results.find(({ error }) => error !== null)?.error ?? undefined,
    at: (index) => results[Math.floor(index / pageSize) - firstPage]?.data?.rows[index % pageSize],
  };
}

/** An answer with a list and the header that counts all that fit. @throws ApiFailure */
export async function partOf<Row>(
  call: Promise<{ readonly data?: readonly Row[]; readonly error?: unknown; readonly response: Response }>,
): Promise<Part<Row>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiFailure(response.status, recordOf(error));
  const rows = data ?? [];
  return { rows, count: Number(response.headers.get('X-Total-Count') ?? rows.length) };
}
