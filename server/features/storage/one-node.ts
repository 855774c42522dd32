import type { OneNodeRule } from '../../cluster/one-node-guard.ts';
import type { ContentDb } from '../../db/tables.ts';
import { readStorage } from '../../storage/store.ts';

/** As long as media are local files, only the node that has them may serve. */
export async function findOneNodeRule(db: ContentDb): Promise<OneNodeRule | undefined> {
  const { type } = await readStorage(db);
  return type === 'local' ? localMediaRule : undefined;
}

const localMediaRule: OneNodeRule = {
  warning:
    'media are local files of this node: no other node can start before POST /api/v1/storage/migrate (admin: Media storage) has moved them to object storage',
  refusal:
    'media are local files of another node: move them to object storage there, with POST /api/v1/storage/migrate {"target":"s3","s3":{...}} or in the admin under "Media storage", then start this node',
};
