import type { Need } from '../../../api/session/rights.ts';

/** What whoever changes templates of pages needs. */
export const ofPageCode: readonly Need[] = [{ action: 'code', kind: 'page' }];
