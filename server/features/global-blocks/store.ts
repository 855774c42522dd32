import { globalBlockColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import type { ObjectColumns } from '../../db/tables.ts';
import type { GlobalBlock } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    global_blocks: ObjectColumns<typeof globalBlockColumns>;
  }
}

export const globalBlocks = objectTable<GlobalBlock>()('global_blocks', globalBlockColumns);
