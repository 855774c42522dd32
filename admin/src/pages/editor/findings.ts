import { useMemo } from 'react';
import type { Warning } from '../../api/generated/schema.ts';
import { useFindings } from '../../editing/findings.ts';
import type { PageStore } from './page-store.ts';

/** Findings about one field of a page. */
export function useFieldFindings(store: PageStore, field: string): readonly Warning[] {
  const findings = useFindings(store);
  return useMemo(() => findings.filter(({ params }) => fieldOf(params) === field), [findings, field]);
}

/** The field stands behind the name of the template: `/visit (head)`; `html` has no such mark. */
function fieldOf(params: Warning['params']): string {
  return / \((\w+)\)$/.exec(String(params['template']))?.[1] ?? 'html';
}
