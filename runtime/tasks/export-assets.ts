import { join } from 'node:path';
import { ExportFindings } from '../export/export-findings.ts';
import { Packer } from '../export/packer.ts';
import { exportResources } from '../export/resources.ts';
import type { TaskContext } from './context.ts';
import { minifiedOnce } from './deliver-asset.ts';
import type { ExportAssetsTask, ExportedFiles } from './messages/exports.ts';

/** The CSS and JS files of a static export, minified as visitors get them. */
export async function exportAssetsTask(context: TaskContext, task: ExportAssetsTask): Promise<ExportedFiles> {
  const packer = new Packer();
  const found = new ExportFindings();
  const { value: files, reads } = await context.onSnapshot(task.now, async () => {
    const made = [];
    for (const name of task.assets) {
      const [kind = '', id = ''] = name.split('/', 2);
      const asset = context.memo.asset(Number(id));
      if (asset === undefined || asset.kind !== kind) continue;
      const file = `_assets/${name}.${kind}`;
      const text = await minifiedOnce(join(context.cacheDir, 'assets'), asset.content, asset.kind);
      // Addresses in scripts are relative to the pages that load them, so they cannot be relative to a file.
      const place = { path: `/${file}`, file: kind === 'css' ? file : undefined };
      made.push(packer.add(file, exportResources(text, task.site, place, found)));
    }
    return made;
  });
  packer.write(task.spool);
  return { reads, files, errors: [], found: found.toJSON() };
}
