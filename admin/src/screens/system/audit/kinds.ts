import { findText } from '../../../base/i18n/index.ts';

/** Kinds of the log that have names, in the order of the filter. */
export const auditKinds = [
  'page',
  'global_block',
  'collection',
  'item',
  'items',
  'file',
  'folder',
  'snippet',
  'asset',
  'source',
  'pen',
  'redirect',
  'workflow',
  'flow_node',
  'change_set',
  'import',
  'bundle',
  'auth',
] as const;

export function auditKindText(kind: string): string {
  return findText(`audit.kinds.${kind}`) ?? kind;
}
