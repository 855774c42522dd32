import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { PagePreview } from '../../api/generated/schema.ts';

/** A preview is asked for so long after the last key, in milliseconds. */
const waitMs = 200;

/** What is shown in place of what is live. */
export interface UnsavedPage extends PagePreview {
  /** A change set with which the page is shown. */
  readonly change_set?: number;
}

export interface Preview {
  /** The last page that could be rendered; undefined before the first. */
  readonly html: string | undefined;
  /** Why there is no newer page: a template fails, or the server did not answer with one. */
  readonly error: { readonly isTemplate: boolean; readonly text: string } | undefined;
}

/**
 * The page with unsaved content. One request runs at a time; what changes meanwhile is asked for after it, so
 * the newest state wins.
 *
 * @param version changes when something else that the page shows has changed
 * @param delayMs how long to wait for more changes, in milliseconds
 */
export function usePreview(pageId: number, unsaved: UnsavedPage, version: number, delayMs = waitMs): Preview {
  const [preview, setPreview] = useState<Preview>({ html: undefined, error: undefined });
  const wanted = useRef<UnsavedPage | undefined>(undefined);
  const isRunning = useRef(false);
  const page = useRef(pageId);

  const isShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `version` means that what else the page shows has changed; another delay is no reason to ask
  useEffect(() => {
    const isFirst = page.current !== pageId || !isShown.current;
    isShown.current = true;
    page.current = pageId;
    wanted.current = unsaved;
    const run = async () => {
      if (isRunning.current) return;
      isRunning.current = true;
      while (wanted.current !== undefined) {
        const body = wanted.current;
        wanted.current = undefined;
        const id = page.current;
        const next = await requestPreview(id, body);
        if (id === page.current)
          setPreview((before) => ({ html: next.html ?? before.html, error: next.error }));
      }
      isRunning.current = false;
    };
    const timer = setTimeout(run, isFirst ? 0 : delayMs);
    return () => clearTimeout(timer);
  }, [pageId, unsaved, version]);
  return preview;
}

async function requestPreview(id: number, { change_set, ...body }: UnsavedPage): Promise<Preview> {
  try {
    const { data, error, response } = await api.POST('/pages/{id}/preview', {
      params: { path: { id }, query: change_set === undefined ? {} : { change_set } },
      body,
      parseAs: 'text',
    });
    if (response.ok) return { html: String(data), error: undefined };
    // The answer to a template that fails is a page about the error.
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html') === true;
    if (isPage) return { html: undefined, error: { isTemplate: true, text: errorIn(String(error)) } };
    throw new ApiFailure(response.status, Object(error));
  } catch (failure) {
    return { html: undefined, error: { isTemplate: false, text: failureText(failure) } };
  }
}

/** The sentence of an error page. */
function errorIn(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const message = page.querySelector('[data-message], pre, p');
  return (message?.textContent ?? page.body.textContent ?? '').trim();
}
