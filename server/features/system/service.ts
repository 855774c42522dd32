import { apiError } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Config } from '../../config/config.ts';
import { reviewSettings } from '../../content/kinds/review-settings.ts';
import { trashSettings } from '../../content/kinds/trash/settings.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { parsePublicUrl } from '../auth/public-address.ts';
import { signInSettings } from '../auth/settings.ts';
import { countWriteTokens } from '../auth/tokens.ts';
import { publicLimitSettings } from '../collections/public-limit.ts';
import type { System, SystemUpdate } from './model.ts';

export interface SystemFacts {
  readonly gate: AdminGate;
  readonly hasMasterToken: boolean;
  readonly version: string;
  readonly options: Config['shown'];
}

/** GET /system */
export async function getSystem(db: ContentDb, facts: SystemFacts): Promise<System> {
  const { gate } = facts;
  const trash = await trashSettings.read(db);
  const reviews = await reviewSettings.read(db);
  return {
    admin_enabled: gate.adminEnabled,
    headless: gate.headless,
    forced: gate.forced,
    write_tokens: await countWriteTokens(db),
    master_token: facts.hasMasterToken,
    version: facts.version,
    public_max_entries: (await publicLimitSettings.read(db)).max_entries,
    trash_days: trash.days,
    trash_max_mb: trash.max_mb,
    ...(await signInSettings.read(db)),
    live_saves: reviews.live_saves,
    review_required: reviews.required,
    options: [...facts.options],
  };
}

/**
 * PUT /system. The admin can be switched off only if a write token or master token can switch it on again.
 *
 * @throws ApiError `system.forced`, `system.noWriteToken`
 */
export async function updateSystem(change: Change, body: SystemUpdate, facts: SystemFacts): Promise<void> {
  const { public_max_entries: max, trash_days: days, trash_max_mb: maxMb } = body;
  if (max !== undefined) await publicLimitSettings.save(change.tx, { max_entries: max });
  if (days !== undefined || maxMb !== undefined)
    await trashSettings.update(change.tx, (before) => ({
      ...before,
      days: days ?? before.days,
      max_mb: maxMb ?? before.max_mb,
    }));
  const { public_url: publicUrl, idle_minutes: idleMinutes } = body;
  if (publicUrl !== undefined || idleMinutes !== undefined)
    await signInSettings.update(change.tx, (before) => ({
      public_url: publicUrl === undefined ? before.public_url : parsePublicUrl(publicUrl),
      idle_minutes: idleMinutes ?? before.idle_minutes,
    }));
  const { live_saves, review_required: required } = body;
  if (live_saves !== undefined || required !== undefined)
    await reviewSettings.update(change.tx, (before) => ({
      live_saves: live_saves ?? before.live_saves,
      required: required ?? before.required,
    }));
  if (body.admin_enabled === undefined && body.headless === undefined) return;
  if (facts.gate.forced) throw apiError('system.forced', {});
  const closes = body.admin_enabled === false || body.headless === true;
  if (closes && !facts.hasMasterToken && (await countWriteTokens(change.tx)) === 0)
    throw apiError('system.noWriteToken', {});
  await facts.gate.set(change, body);
}
