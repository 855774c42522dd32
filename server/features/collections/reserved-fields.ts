import { changeSetParameter } from '../../api/parameters/overlaid-reads.ts';
import type { SharedServices } from '../../feature.ts';
import * as store from './store.ts';

/** Logs the fields that are older than the parameter of their name: lists can filter by them only with an operator. */
export async function reportReservedFields({
  reader,
  log,
}: Pick<SharedServices, 'reader' | 'log'>): Promise<void> {
  const field = changeSetParameter;
  try {
    for (const { slug, fields } of await store.collections.list(reader))
      if (fields.some(({ name }) => name === field))
        log.warn({ collection: slug, field }, `lists can be filtered by this field as ${field}__in only`);
  } catch (error) {
    log.warn({ err: error }, 'names of fields could not be checked');
  }
}
