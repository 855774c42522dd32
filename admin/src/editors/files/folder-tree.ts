import type { Folder } from '../../content/files.ts';

/** A folder with its level: 0 at the top. */
export interface FolderRow {
  readonly folder: Folder;
  readonly level: number;
}

/** Folders in the order of a tree: each before those inside of it. */
export function folderRows(folders: readonly Folder[]): readonly FolderRow[] {
  const inside = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const below = (parentId: number, level: number): readonly FolderRow[] =>
    (inside.get(parentId) ?? []).flatMap((folder) => [{ folder, level }, ...below(folder.id, level + 1)]);
  return below(0, 0);
}

/** Choices for a select: the level shows by the indent. */
export function folderChoices(
  folders: readonly Folder[],
  top: string,
): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: '0', label: top },
    ...folderRows(folders).map(({ folder: { id, name }, level }) => ({
      value: String(id),
      label: `${'\u2003'.repeat(level)}${name}`,
    })),
  ];
}
