import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { followChanges } from '../../api/feeds.ts';
import type { Pen, PenUpdate, SavedPen } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';

followChanges(['pen'], 'pens');

export type { Pen };

/** A pen as an editor has it: after a save with what was found in its texts. */
export interface EditedPen extends Pen {
  readonly warnings?: SavedPen['warnings'];
}

const listQuery = queryOptions({ queryKey: ['pens'], queryFn: () => ok(api.GET('/pens')) });

/** All pens with their texts, most recently changed first. */
export function usePens() {
  return useQuery(listQuery);
}

export async function createPen(title: string): Promise<Pen> {
  const pen = await ok(api.POST('/pens', { body: { title } }));
  await pensChanged();
  return pen;
}

/** @param isStrict errors in texts are refused */
export async function updatePen(uuid: string, body: PenUpdate, isStrict: boolean): Promise<SavedPen> {
  const query = isStrict ? { strict: true } : {};
  const saved = await ok(api.PUT('/pens/{ref}', { params: { path: { ref: uuid }, query }, body }));
  await pensChanged();
  return saved;
}

export function loadPen(uuid: string): Promise<Pen> {
  return ok(api.GET('/pens/{ref}', { params: { path: { ref: uuid } } }));
}

export async function deletePen(uuid: string): Promise<void> {
  await ok(api.DELETE('/pens/{ref}', { params: { path: { ref: uuid } } }));
  await pensChanged();
}

/** The document of a pen with unsaved texts. @throws ApiFailure 422 with what is wrong in the template */
export async function renderPen(
  uuid: string,
  body: Pick<Pen, 'title' | 'html' | 'css' | 'js'>,
  signal: AbortSignal,
): Promise<string> {
  const { html } = await ok(
    api.POST('/pens/{ref}/preview', { params: { path: { ref: uuid } }, body, signal }),
  );
  return html;
}

function pensChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: listQuery.queryKey });
}
