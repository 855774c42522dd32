/** Notices when the server has a newer admin than the one that runs here. */
import { SharedValue } from '../base/shared-value.ts';

let first: string | undefined;

export const isServerNewer = new SharedValue(false);

/** Called with the `X-IC-Build` of every answer. */
export function noteBuild(build: string | null): void {
  if (build === null) return;
  first ??= build;
  if (build !== first) isServerNewer.set(true);
}
