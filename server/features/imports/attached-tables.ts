import type { AttachedTable } from '../../content/kinds/kind.ts';
import type { ContentDb } from '../../db/tables.ts';
import { hasUsableHosts } from './store.ts';

/**
 * Where imported objects come from. A bundle carries it, so that a website that has moved to another instance can
 * still be imported again without losing what was edited.
 */
export const attachedTables: readonly AttachedTable[] = [
  { name: 'imported_pages', kind: 'page' },
  { name: 'imported_files', kind: 'file' },
  { name: 'imported_assets', kind: 'asset' },
  { name: 'import_hosts', kind: 'page', faultIn: faultInHosts },
];

async function faultInHosts(db: ContentDb): Promise<string | undefined> {
  return (await hasUsableHosts(db)) ? undefined : 'hosts of an import are no list';
}
