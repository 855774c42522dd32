import type { ContentDb } from '../db/tables.ts';
import { readStorage, saveStorage } from './store.ts';

/** Says that media are local files. The configuration of object storage that was in use stays as a draft. */
export async function useLocalFiles(db: ContentDb): Promise<void> {
  await saveStorage(db, { ...(await readStorage(db)), type: 'local' });
}
