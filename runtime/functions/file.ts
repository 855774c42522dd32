import type { TemplateFunction } from '../engine.ts';
import type { FileValue } from '../files/file-value.ts';
import type { PageEnv } from '../page/env.ts';
import { pageEnv } from './page-env.ts';

/**
 * `file(id)`: an uploaded file. An ID without a file gives nothing.
 *
 *     {% with plan=file(12) %}<a href="{{ plan.url }}">{{ plan.name }}</a>{% endwith %}
 *     <a href="/media/plan.pdf">Plan.pdf</a>
 */
export const file: TemplateFunction = {
  call: (env, [id]) => findFileValue(pageEnv(env, 'file'), id),
};

/** The file of an ID, with signed addresses if it is private and the page is a preview. */
export function findFileValue(env: PageEnv, id: unknown): FileValue | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? env.file(id) : undefined;
}
