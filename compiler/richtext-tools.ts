/** What the toolbar of a rich text may offer, for fields, parameters of block types, and regions. */
export const richtextTools = [
  'bold',
  'italic',
  'link',
  'lists',
  'headings',
  'quote',
  'code',
  'table',
  'image',
] as const;

export type RichtextTool = (typeof richtextTools)[number];

export function isRichtextTool(name: string): name is RichtextTool {
  return richtextTools.some((tool) => tool === name);
}
