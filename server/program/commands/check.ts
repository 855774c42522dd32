/** `incipit check`: what is wrong in a folder; `--fix` writes its files in their canonical form. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderFinding, ReadFolder } from '../../features/folders/format/content.ts';
import { readFolder, renderFiles, writeWhole } from '../../features/folders/format/index.ts';
import type { FolderChange } from '../../features/folders/sync/model.ts';
import type { ProgramArguments } from '../arguments.ts';
import type { CommandResult } from '../command.ts';
import { nothing } from '../output.ts';
import { checkFolder } from '../templates/check-folder.ts';

export async function runCheck({ folder, options }: ProgramArguments): Promise<CommandResult> {
  const before = await readFolder(folder);
  const changes = options.has('fix') ? await fixFolder(folder, before) : [];
  const findings = await checkFolder(changes.length > 0 ? await readFolder(folder) : before);
  return { ...nothing, findings, changes, exitCode: findings.length > 0 ? 1 : 0 };
}

/**
 * Writes the canonical form of all files that could be read without an error: what is not understood stays as it is.
 * The marks of line ends count as no error.
 */
async function fixFolder(
  folder: string,
  { content, findings }: ReadFolder,
): Promise<readonly FolderChange[]> {
  const faulty = new Set(findings.filter(isError).map(({ file }) => file));
  // A folder whose settings cannot be read has no objects that belong to them.
  if (faulty.has('site.json') || content.objects.size === 0) return [];
  const texts = renderFiles(content);
  const changes: FolderChange[] = [];
  for (const [file, text] of texts) {
    if (faulty.has(file)) continue;
    const stored = await readFile(join(folder, file), 'utf8').catch(() => undefined);
    // A file that is not there belongs to one that holds more than the format can say.
    if (stored === undefined && isBesideFault(file, faulty)) continue;
    if (stored === text) continue;
    await writeWhole(join(folder, file), text);
    changes.push({ file, op: stored === undefined ? 'create' : 'update', fields: [] });
  }
  const read = [...content.objects.values()].filter(({ files }) => !files.some((file) => faulty.has(file)));
  for (const file of new Set(read.flatMap(({ files }) => files))) {
    if (texts.has(file) || file.startsWith('media/')) continue;
    await rm(join(folder, file));
    changes.push({ file, op: 'delete', fields: [] });
  }
  return changes;
}

function isError({ level }: FolderFinding): boolean {
  return level === 'error';
}

function isBesideFault(file: string, faulty: ReadonlySet<string>): boolean {
  const parent = file.slice(0, file.lastIndexOf('/') + 1);
  return [...faulty].some((other) => other.startsWith(parent));
}
