import { useMemo, useSyncExternalStore } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import type { Warning } from '../../api/generated/schema.ts';
import { useSaveState } from '../../editing/editor-store.ts';
import type { PageStore } from './page-store.ts';

/** Findings about a field: those of the save that was refused, else those of the last save. */
export function useFindings(store: PageStore, field: string): readonly Warning[] {
  const state = useSaveState(store);
  const base: object = useSyncExternalStore(store.subscribe, () => store.base);
  return useMemo(() => {
    const refused =
      state.kind === 'failed' && state.error instanceof ApiFailure ? state.error.body['warnings'] : undefined;
    const saved = 'warnings' in base ? base.warnings : undefined;
    return warningsIn(refused ?? saved).filter(({ params }) => fieldOf(params) === field);
  }, [state, base, field]);
}

/** The field stands behind the name of the template: `/visit (head)`; `html` has no such mark. */
function fieldOf(params: Warning['params']): string {
  return / \((\w+)\)$/.exec(String(params['template']))?.[1] ?? 'html';
}

/** Type boundary: answers to saves list warnings in this form. */
function warningsIn(value: unknown): readonly Warning[] {
  return Array.isArray(value) ? value : [];
}
