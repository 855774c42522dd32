/** Reads of content as a change set would make it. */
import type { OverlaidReads } from '../../api/parameters/overlaid-reads.ts';
import { withContentOverlay } from '../../base/content-overlay.ts';
import { apiError } from '../../base/errors.ts';
import { changesSince } from '../../changes/change-log.ts';
import { readOverlay } from '../../changes/overlay.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { writeOverlayFile } from '../../db/overlay-file.ts';
import type { SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import { applyPlan } from './apply.ts';
import { loadItems } from './items.ts';
import { changeSetLimits } from './model.ts';
import { planItems } from './plan.ts';
import { requireSet } from './service.ts';

export interface OverlaidReadsDeps extends Pick<SharedServices, 'changes' | 'version'> {
  readonly kinds: KindsByName;
  readonly staging: Staging;
}

/**
 * The change set is applied, the rows that it touches are read, and it is taken back. What the request reads then comes
 * from the committed content with these rows in their places.
 */
export function createOverlaidReads({ changes, version, kinds, staging }: OverlaidReadsDeps): OverlaidReads {
  return {
    async run(actor, changeSetId, work) {
      const overlay = await changes.changeUnversioned(actor, async (change) => {
        const { id } = await requireSet(change.tx, changeSetId);
        const planned = await planItems(change.tx, await loadItems(change.tx, id, kinds));
        return change.rehearse(async (inner) => {
          await applyPlan(inner, planned);
          return readOverlay(inner.tx, await changesSince(inner.tx, version.current()));
        }, 'settled');
      });
      if (overlay === undefined) throw apiError('changeset.tooLarge', { max: changeSetLimits.bytes });
      const file = staging.reserve();
      try {
        writeOverlayFile(file, overlay.tables);
        return await withContentOverlay(file, work);
      } finally {
        await staging.release(file);
      }
    },
  };
}
