import { keepRevision } from '../revisions/keep.ts';
import type { ObjectState } from '../revisions/model.ts';
import type { Versioned } from '../revisions/service.ts';
import type { Asset } from './model.ts';
import { getAsset, updateAsset } from './service.ts';

/** How versions of assets are shown and restored: the content comes back (Core, "Version history"). */
export const assetVersions: Versioned = {
  present: async (data) => data,
  async restore(change, id, data) {
    await keepRevision(change, { kind: 'asset', id }, () => getAsset(change.tx, id), { always: true });
    const asset = await updateAsset(change, id, { content: asState(data).content });
    return async () => asset;
  },
};

/** The boundary where a stored state of an asset takes its type: `updateAsset` stored it. */
function asState(data: ObjectState): Asset {
  return data as Asset;
}
