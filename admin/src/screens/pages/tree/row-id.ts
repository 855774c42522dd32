/** The ID of the row of a page in the document. */
export function rowId(treeId: string, page: number): string {
  return `${treeId}-${page}`;
}

/** The page of the row that a part of the tree belongs to. */
export function pageOfRow(treeId: string, element: Element): number | undefined {
  const row = element.closest('[role=treeitem]');
  return row === null ? undefined : Number(row.id.slice(rowId(treeId, 0).length - 1));
}
