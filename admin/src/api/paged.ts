import { useQueries } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Range } from '../base/range.ts';
import { ApiFailure, toRecord } from './failure.ts';

/** Rows of one request. */
const pageSize = 100;

export interface Part<Row> {
  readonly rows: readonly Row[];
  /** Number of all rows that fit. */
  readonly count: number;
}

/** A long list of the server, of which only what is on the screen is asked for. */
export interface Paged<Row> {
  /** Undefined until the first answer. */
  readonly count: number | undefined;
  readonly error: unknown;
  /** The row at a place; undefined until it has come. */
  at(index: number): Row | undefined;
  /** The rows that have come, with some around those on the screen. */
  loaded(): readonly Row[];
}

/** The range that a list asks for. It changes only if that needs other requests, so that scrolling draws only rows. */
export function useAskedRange(): readonly [range: Range, ask: (range: Range) => void] {
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const ask = useCallback(
    (next: Range) =>
      setRange((before) => {
        const isSame =
          pageOf(before.first) === pageOf(next.first) && pageOf(before.last) === pageOf(next.last);
        return isSame ? before : next;
      }),
    [],
  );
  return [range, ask];
}

function pageOf(index: number): number {
  return Math.floor(index / pageSize);
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
  const firstPage = pageOf(range.first);
  const lastPage = Math.max(firstPage, pageOf(range.last));
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
    at: (index) => results[pageOf(index) - firstPage]?.data?.rows[index % pageSize],
    loaded: () => results.flatMap(({ data }) => data?.rows ?? []),
  };
}

/** An answer with a list and the header that counts all that fit. @throws ApiFailure */
export async function readPart<Row>(
  call: Promise<{ readonly data?: readonly Row[]; readonly error?: unknown; readonly response: Response }>,
): Promise<Part<Row>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiFailure(response.status, toRecord(error));
  const rows = data ?? [];
  return { rows, count: Number(response.headers.get('X-Total-Count') ?? rows.length) };
}
