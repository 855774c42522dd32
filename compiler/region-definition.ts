/** What a `{% region %}` tag says: its name, and the keys after it. */
import type { Binding, Node, Region } from '../grammar/ast.ts';
import { didYouMean } from '../grammar/suggest.ts';
import { isParameterName } from './parameter-name.ts';
import { isRichtextTool, type RichtextTool, richtextTools } from './richtext-tools.ts';

export const regionTypes = ['text', 'textarea', 'html', 'markdown', 'image', 'link'] as const;
export type RegionType = (typeof regionTypes)[number];

export interface RegionDefinition {
  readonly name: string;
  readonly label: string;
  readonly type: RegionType;
  readonly help: string;
  /** The tools that editors have; empty = all. */
  readonly richtext: readonly RichtextTool[];
}

/** Why a tag defines no region. */
export interface RegionFault {
  readonly offset: number;
  readonly reason: string;
}

type ReadRegion =
  | { readonly definition: RegionDefinition; readonly fault?: undefined }
  | { readonly definition?: undefined; readonly fault: RegionFault };

/** The definition in a tag, or the first fault in it. */
export function readRegionDefinition(node: Region): ReadRegion {
  const { name, start, bindings } = node;
  if (!isParameterName(name)) {
    return fault(
      start,
      `"${name.slice(0, 40)}" cannot be the name of a region, only letters, digits and _ can`,
    );
  }
  const texts = new Map<string, string>();
  for (const binding of bindings) {
    const problem = faultIn(binding, texts);
    if (problem !== undefined) return problem;
    if (binding.value.type === 'Literal') texts.set(binding.name, String(binding.value.value));
  }
  const typeName = texts.get('type') ?? 'html';
  const at = (key: string) => bindings.find((binding) => binding.name === key)?.start ?? start;
  const type = regionTypes.find((known) => known === typeName);
  if (type === undefined)
    return fault(
      at('type'),
      `there is no region of the type "${typeName.slice(0, 40)}"${listed(regionTypes)}`,
    );
  const tools = (texts.get('richtext') ?? '').split(/\s+/).filter((tool) => tool !== '');
  if (texts.has('richtext') && type !== 'html' && type !== 'markdown')
    return fault(
      at('richtext'),
      `a region of the type "${type}" has no formatted text, so it takes no richtext`,
    );
  const unknown = tools.find((tool) => !isRichtextTool(tool));
  if (unknown !== undefined)
    return fault(
      at('richtext'),
      `there is no richtext tool "${unknown.slice(0, 40)}"${listed(richtextTools)}`,
    );
  const richtext = [...new Set(tools.filter(isRichtextTool))];
  return {
    definition: { name, label: texts.get('label') || name, type, help: texts.get('help') ?? '', richtext },
  };
}

/** The words of the tag as text if they are the same in every render, else null. */
export function findConstantDefault(body: readonly Node[]): string | null {
  let text = '';
  for (const node of body) {
    if (node.type !== 'Text') return null;
    text += node.value;
  }
  return text;
}

const keys = ['label', 'type', 'help', 'richtext'];

function faultIn(
  { name, value, start }: Binding,
  before: ReadonlyMap<string, string>,
): ReadRegion | undefined {
  if (!keys.includes(name)) return fault(start, `a region has no "${name}"${didYouMean(name, keys)}`);
  if (before.has(name)) return fault(start, `a second "${name}" in the same region`);
  if (value.type === 'Literal' && typeof value.value === 'string') return undefined;
  return fault(start, `"${name}" of a region must be a text in quotes`);
}

function fault(offset: number, reason: string): ReadRegion {
  return { fault: { offset, reason } };
}

function listed(names: readonly string[]): string {
  return `, only ${names.join(', ')}`;
}
