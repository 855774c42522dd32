import { api, requireData } from '../../api/client.ts';
import type { Pen, SavedPen } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';

export type { Pen };

/** A pen as an editor has it: after a save with what was found in its texts. */
export interface EditedPen extends Pen {
  readonly warnings?: SavedPen['warnings'];
}

/** All pens with their texts, most recently changed first. */
export const pens = new Resource('/pens', { feeds: ['pen'] });

/** The document of a pen with unsaved texts. @throws ApiFailure 422 with what is wrong in the template */
export async function renderPen(
  uuid: string,
  body: Pick<Pen, 'title' | 'html' | 'css' | 'js'>,
  signal: AbortSignal,
): Promise<string> {
  const { html } = await requireData(
    api.POST('/pens/{ref}/preview', { params: { path: { ref: uuid } }, body, signal }),
  );
  return html;
}
