import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepFile } from '../../compiler/index.ts';
import type { TaskContext } from './context.ts';
import { encodeTagged } from './encode.ts';
import type { AssetResult, AssetTask } from './messages/delivery.ts';
import { minify } from './minify.ts';

/**
 * The bytes of a CSS or JS asset, minified (Core, "Public non-API routes"). Each content is minified once:
 * the result is kept on disk under the hash of the content, so it survives other changes and a restart.
 */
export async function deliverAssetTask(context: TaskContext, task: AssetTask): Promise<AssetResult> {
  const { value: asset, reads } = await context.onSnapshot(0, () => context.memo.asset(task.id));
  if (asset === undefined || asset.kind !== task.assetKind) return { reads, asset: undefined };
  const text = await minifiedOnce(join(context.cacheDir, 'assets'), asset.content, asset.kind);
  return { reads, asset: { updatedAt: asset.updated_at, body: encodeTagged(text, 'often', task.encoding) } };
}

/** Part of the file name, so that results of other minify rules are not used. */
const minifyRules = 1;

export async function minifiedOnce(folder: string, content: string, kind: 'css' | 'js'): Promise<string> {
  const file = join(folder, `${hash('sha256', content)}-${minifyRules}.${kind}`);
  const kept = readKept(file);
  if (kept !== undefined) return kept;
  const text = await minify(content, kind);
  keepFile(file, text);
  return text;
}

/** A file that cannot be read is made again. */
function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
