import { useMemo, useSyncExternalStore } from 'react';
import { ApiFailure } from '../api/failure.ts';
import type { Warning } from '../api/generated/schema.ts';
import { type Editable, type EditorStore, useSaveState } from './editor-store.ts';

/** Findings about the texts of an object: those of the save that was refused, else those of the last save. */
export function useFindings(
  store: Pick<EditorStore<Editable>, 'subscribe' | 'state' | 'base'>,
): readonly Warning[] {
  const state = useSaveState(store);
  const base: object = useSyncExternalStore(store.subscribe, () => store.base);
  return useMemo(() => {
    const isRefused = state.kind === 'failed' && state.error instanceof ApiFailure;
    const refused = isRefused ? state.error.body['warnings'] : undefined;
    return warningsIn(refused ?? ('warnings' in base ? base.warnings : undefined));
  }, [state, base]);
}

/** Type boundary: answers to saves list warnings in this form. */
function warningsIn(value: unknown): readonly Warning[] {
  return Array.isArray(value) ? value : [];
}

/** Findings about one field of an object with several texts. */
export function useFieldFindings(
  store: Pick<EditorStore<Editable>, 'subscribe' | 'state' | 'base'>,
  field: string,
): readonly Warning[] {
  const findings = useFindings(store);
  return useMemo(() => findings.filter(({ params }) => fieldOf(params) === field), [findings, field]);
}

/** The field stands behind the name of the template: `/visit (head)`; `html` has no such mark. */
function fieldOf(params: Warning['params']): string {
  return / \((\w+)\)$/.exec(String(params['template']))?.[1] ?? 'html';
}
