import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, requireData, sendRequest } from '../../../api/client.ts';
import { type Description, listOperations, type Operation } from './description.ts';

const descriptionQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async () => {
    const document: unknown = await requireData(api.GET('/openapi.json'));
    // Type boundary: the server makes the document of its route table, and its tests hold it against OpenAPI 3.1.
    return document as Description;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export interface Reference {
  readonly description: Description;
  readonly operations: readonly Operation[];
}

/** The description of the API; `reference` is undefined until it has come. */
export function useReference(): { readonly reference: Reference | undefined; readonly error: Error | null } {
  const { data, error } = useQuery(descriptionQuery);
  const reference = useMemo(
    () => (data === undefined ? undefined : { description: data, operations: listOperations(data) }),
    [data],
  );
  return { reference, error };
}

/** What a request was answered with. */
export interface TriedAnswer {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a body that is no text, such as an archive. It was not read. */
  readonly text: string | undefined;
  /** The body as a value; undefined if it is no JSON. */
  readonly value: unknown;
  /** The text is only the beginning. */
  readonly isCut: boolean;
}

/** Longest part of a body that is read, in bytes: an export may have as many as the disk. */
const maxBytes = 4 * 1024 * 1024;

/** Sends a reading request with the session of this window. @throws ApiFailure when the server does not answer */
export async function tryRequest(path: string): Promise<TriedAnswer> {
  const begin = performance.now();
  const response = await sendRequest(new Request(path));
  const milliseconds = Math.round(performance.now() - begin);
  const type = response.headers.get('Content-Type') ?? '';
  const isText = /^text\/|json|multipart\/related/.test(type);
  if (!isText) await response.body?.cancel();
  const { text, isCut } = isText ? await beginningOf(response) : { text: undefined, isCut: false };
  return {
    status: response.status,
    milliseconds,
    headers: Object.fromEntries(response.headers),
    text,
    value: text === undefined || isCut || !type.includes('json') ? undefined : JSON.parse(text),
    isCut,
  };
}

async function beginningOf({ body }: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return { text: text + decoder.decode(), isCut: false };
    bytes += value?.byteLength ?? 0;
    text += decoder.decode(value, { stream: true });
    if (bytes < maxBytes) continue;
    await reader?.cancel();
    return { text, isCut: true };
  }
}
