/** Everything that is wrong in a folder: its files, templates, style sheets and scripts. */
import { checkCode } from '../../../runtime/tasks/check-code.ts';
import {
  compareText,
  type FolderFinding,
  type FolderObject,
  type ReadFolder,
} from '../../features/folders/format/content.ts';
import { FolderTemplates } from './folder-templates.ts';

/** Findings in the order of files and places. */
export async function checkFolder({ content, findings }: ReadFolder): Promise<readonly FolderFinding[]> {
  const templates = new FolderTemplates(content);
  const all = [...findings];
  for (const object of content.objects.values()) {
    all.push(...templates.inspect(object));
    if (object.kind === 'asset') all.push(...(await checkAsset(object)));
  }
  return all.sort(compareFindings);
}

export async function checkAsset({ fields, places, files }: FolderObject): Promise<readonly FolderFinding[]> {
  const place = places['content'] ?? { file: files[0] ?? '', line: 1, column: 1 };
  const language = fields['kind'] === 'css' ? 'css' : 'js';
  const warnings = await checkCode({
    kind: 'check-code',
    language,
    name: place.file,
    source: String(fields['content'] ?? ''),
  });
  return warnings.map(({ code, params: { line, column, message } }) => ({
    file: place.file,
    line: place.line + Number(line) - 1,
    column: Number(column),
    level: code === 'asset.syntax' ? 'error' : 'warning',
    code,
    message: String(message),
  }));
}

export function compareFindings(left: FolderFinding, right: FolderFinding): number {
  return compareText(left.file, right.file) || left.line - right.line || left.column - right.column;
}
