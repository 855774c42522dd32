import { apiError, busy } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { TextReport } from '../../changes/text-analysis.ts';
import type { Kind, ObjectState } from './kind.ts';

type CheckedKind<State extends ObjectState> = Pick<Kind<State>, 'texts' | 'moreWarnings'>;

/**
 * Refuses the change at its end if a text of the object cannot work: a template that cannot be rendered, CSS
 * or JS that does not parse (`strict=1`).
 *
 * @throws in the change: ApiError 422 `template.invalid` with all `warnings` of the object
 */
export function requireUsableTexts<State extends ObjectState>(
  change: Change,
  kind: CheckedKind<State>,
  state: State,
): void {
  change.inspect(kind.texts?.(state) ?? [], (reports) => {
    // Nobody knows whether the text works.
    if (reports.some(({ failed }) => failed === true)) throw busy(1);
    const warnings = listWarnings(kind, state, reports);
    const count = warnings.filter(({ level }) => level === 'error').length;
    if (count > 0) throw apiError('template.invalid', { count }, { fields: { warnings } });
  });
}

/** All warnings about an object, those of its texts first. @param reports the reports of its texts, in order */
export function listWarnings<State extends ObjectState>(
  kind: CheckedKind<State>,
  state: State,
  reports: readonly TextReport[],
): readonly Warning[] {
  return [...reports.flatMap(({ warnings }) => warnings), ...(kind.moreWarnings?.(state, reports) ?? [])];
}
