/** What people call a block: what it says, else what it is. */
import type { BlockParam, BlockType } from '../../../api/generated/schema.ts';
import type { BlockFacts } from './rules.ts';
import { type Block, isReference, type TypedBlock } from './tree.ts';

export interface BlockLabel {
  /** Name of its type, or of the global block. */
  readonly type: string;
  /** Its first filled text; empty if it has none. */
  readonly content: string;
}

const textTypes: ReadonlySet<string> = new Set(['text', 'textarea', 'markdown', 'html']);
const maxLength = 80;

export function formatBlockLabel(facts: BlockFacts, block: Block): BlockLabel {
  if (isReference(block))
    return { type: facts.globals.get(block.global)?.name ?? `#${block.global}`, content: '' };
  const type = facts.types.get(block.type);
  return { type: type?.label ?? block.type, content: contentOf(block, type) };
}

/** The name of a block in one text. */
export function formatBlockName(facts: BlockFacts, block: Block): string {
  const { type, content } = formatBlockLabel(facts, block);
  return content || type;
}

function contentOf({ params }: TypedBlock, type: BlockType | undefined): string {
  const texts = (type?.params ?? []).filter((param) => textTypes.has(param.type));
  for (const param of texts) {
    const text = plainText(params[param.name], param);
    if (text !== '' && !isForPrograms(text)) return text;
  }
  return '';
}

/** Whether a text is no words: an address, or keys in a row such as `gate-ell,barometer`. */
function isForPrograms(text: string): boolean {
  return /^([\w.-]+,)+[\w.-]+$/.test(text) || /^(\/|#|https?:|mailto:|tel:)\S*$/.test(text);
}

/** The beginning of a text, without markup. */
function plainText(value: unknown, { type }: Pick<BlockParam, 'type'>): string {
  if (typeof value !== 'string') return '';
  const text = type === 'html' ? value.slice(0, 400).replace(/<[^>]*>/g, ' ') : value.slice(0, 400);
  return text.replace(/\s+/g, ' ').trim().slice(0, maxLength);
}

/** A new block of a type. Parameters without a default that must be there begin empty. */
export function newBlock(type: BlockType, id: string): TypedBlock {
  const flags = type.params.filter((param) => param.type === 'boolean' && param.required);
  return { id, type: type.name, params: Object.fromEntries(flags.map(({ name }) => [name, false])) };
}

/** The first parameter of a new block that somebody has to fill in. */
export function firstToFill(type: BlockType | undefined): string | undefined {
  const open = type?.params.filter(({ required, default: value }) => required && (value ?? '') === '');
  return (open?.[0] ?? type?.params[0])?.name;
}
