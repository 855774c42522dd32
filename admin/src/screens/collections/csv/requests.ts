import { api, requireData } from '../../../api/client.ts';
import { sentAsForm } from '../../../api/form.ts';
import type { CsvImportResult } from '../../../api/generated/schema.ts';

export type { CsvImportResult };

/** How the columns of a file become fields. */
export interface ImportOptions {
  /** For each column a field, a word such as `_published`, or empty for "ignore"; undefined: by their names. */
  readonly mapping: readonly string[] | undefined;
  /** Field by which rows find the entries that they change; empty: all rows are new. */
  readonly key: string;
  /** Deletes the entries that the file does not have. */
  readonly replace: boolean;
}

/** Imports a file into a collection, or tells what an import would do. */
export function importEntries(
  collection: number,
  file: File,
  { mapping, key, replace }: ImportOptions,
  isTrial: boolean,
): Promise<CsvImportResult> {
  const form = formOf(file, mapping);
  if (key !== '') form.append('key', key);
  return requireData(
    api.POST('/collections/{ref}/import', {
      params: { path: { ref: String(collection) }, query: { dry_run: isTrial, replace } },
      ...sentAsForm<{ readonly file: string }>(form),
    }),
  );
}

/** Makes a collection from a file. @param collection as JSON for POST /collections; undefined: suggested */
export function importCollection(
  file: File,
  name: string,
  mapping: readonly string[] | undefined,
  collection: object | undefined,
  isTrial: boolean,
): Promise<CsvImportResult> {
  const form = formOf(file, mapping);
  form.append('name', name);
  if (collection !== undefined) form.append('collection', JSON.stringify(collection));
  return requireData(
    api.POST('/collections/import', {
      params: { query: { dry_run: isTrial } },
      ...sentAsForm<{ readonly file: string }>(form),
    }),
  );
}

function formOf(file: File, mapping: readonly string[] | undefined): FormData {
  const form = new FormData();
  form.append('file', file, file.name);
  if (mapping !== undefined) form.append('mapping', JSON.stringify(mapping));
  return form;
}
