import { sourceColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentTable } from '../../db/table.ts';
import type { Source } from './model.ts';

const sourcesTable = contentTable('sources');

export const sources = objectTable<Source>()('sources', sourceColumns);

export const findIdBySlug = sourcesTable.findCellBy(['slug'], 'id');
