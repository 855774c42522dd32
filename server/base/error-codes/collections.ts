import type { ErrorTable } from './entry.ts';

/** Collections, entries, queries, CSV. */
export const collectionErrors = {
  'collection.slugTaken': {
    status: 409,
    text: (p: { slug: string }) => `slug "${p.slug}" belongs to another collection or source`,
  },
  'collection.detailPageInvalid': {
    status: 400,
    text: (p: { id: number }) => `page ${p.id} is not a catch-all page`,
  },
  'collection.hasEntry': {
    status: 409,
    text: () => 'the collection has exactly one entry, and it has it already',
  },
  'collection.manyEntries': {
    status: 409,
    text: (p: { count: number }) =>
      `only a collection with at most one entry can become a singleton or stop being one, this one has ${p.count}`,
  },
  'collection.notSingleton': {
    status: 400,
    text: () => 'the collection is a list: its entries have addresses of their own',
  },
  'item.fieldRequired': { status: 400, text: (p: { field: string }) => `${p.field} is required` },
  'item.referenceMissing': {
    status: 400,
    text: (p: { field: string; id: number }) => `${p.field}: the linked collection has no entry ${p.id}`,
  },
  'item.fileMissing': {
    status: 400,
    text: (p: { field: string; id: number }) => `${p.field}: there is no file ${p.id}`,
  },
  'item.pageMissing': {
    status: 400,
    text: (p: { field: string; id: number }) => `${p.field}: there is no page ${p.id}`,
  },
  'item.notUnique': {
    status: 409,
    text: (p: { field: string; id: number }) =>
      p.id === 0
        ? `${p.field} must be unique, and an earlier row has this value`
        : `${p.field} must be unique, and entry ${p.id} has this value`,
  },
  'data.unknownField': {
    status: 400,
    text: (p: { field: string; suggestion?: string }) =>
      `there is no field "${p.field}"${p.suggestion === undefined ? '' : `, did you mean "${p.suggestion}"?`}`,
  },
  'data.sourceFailed': {
    status: 502,
    text: (p: { source: string; reason: string }) => `the source "${p.source}" failed: ${p.reason}`,
  },
  'source.unreachable': { status: 502, text: (p: { reason: string }) => p.reason },
  'source.status': { status: 502, text: (p: { status: number }) => `it answered ${p.status}` },
  'source.notJson': { status: 502, text: () => 'its answer is not JSON, or longer than 10 MB' },
  'source.listMissing': { status: 502, text: (p: { path: string }) => `its answer has no "${p.path}"` },
  'data.unknownOperator': {
    status: 400,
    text: (p: { field: string; operator: string }) =>
      `${p.field} cannot be compared with "${p.operator}"; there are ne, gt, gte, lt, lte, contains, icontains, startswith, endswith, in, isnull`,
  },
  'csv.errors': {
    status: 422,
    text: (p: { count: number }) => `the file has ${p.count} errors, nothing was imported`,
  },
  'csv.rowError': {
    status: 400,
    text: (p: { row: number; message: string; code: string; params: object }) => `row ${p.row}: ${p.message}`,
  },
  'csv.cellError': {
    status: 400,
    text: (p: { row: number; column: string; message: string; code: string; params: object }) =>
      `row ${p.row}, column ${JSON.stringify(p.column)}: ${p.message}`,
  },
  'csv.extraCells': {
    status: 400,
    text: (p: { cells: number; columns: number }) =>
      `the row has ${p.cells} cells, but the header has ${p.columns}`,
  },
  'csv.keyDuplicate': {
    status: 400,
    text: (p: { value: string; row: number }) => `${JSON.stringify(p.value)} stands in row ${p.row} already`,
  },
  'csv.keyAmbiguous': {
    status: 400,
    text: (p: { value: string }) => `several entries have ${JSON.stringify(p.value)}`,
  },
  'csv.idUnknown': { status: 400, text: (p: { id: string }) => `there is no entry ${p.id}` },
  'csv.noFileFor': { status: 400, text: (p: { value: string }) => `there is no file for ${p.value}` },
  'csv.singleton': {
    status: 400,
    text: () => 'the collection has exactly one entry, so no list can be imported into it',
  },
  'csv.columnMissing': { status: 400, text: (p: { column: string }) => `the column ${p.column} is missing` },
  'csv.tooManyRows': { status: 400, text: (p: { max: number }) => `the file has more than ${p.max} rows` },
  'csv.syntax': {
    status: 400,
    text: (p: { row: number; reason: string }) => `the file is not valid CSV in row ${p.row}: ${p.reason}`,
  },
} satisfies ErrorTable;
