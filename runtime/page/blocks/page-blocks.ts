import type { ContentCache } from '../../content/content-cache.ts';
import type { BlockSource, PreparedBlock, PreparedReference } from '../../engine/block-source.ts';
import { isMap } from '../../filters/shared/values.ts';
import { escapeHtml } from '../../values/escape.ts';
import { PreviewMarks } from './marks.ts';
import { overlaid } from './overlay.ts';
import { type ParameterTargets, prepareBlock } from './prepare.ts';

/** Most different problems of one page that are told. */
const maxProblems = 20;

/** The blocks of the trees that a page shows. One per render. */
export class PageBlocks implements BlockSource {
  readonly #memo: Pick<ContentCache, 'blockType' | 'globalBlock'>;
  readonly #targets: ParameterTargets;
  readonly #unsaved: ReadonlyMap<number, unknown>;
  /** IDs of the global blocks around the current block. */
  readonly #open: number[] = [];
  readonly #problems = new Set<string>();
  #marks: PreviewMarks | undefined;

  /** @param unsaved trees of global blocks by ID, in place of the stored ones; nobody has checked them */
  constructor(
    memo: Pick<ContentCache, 'blockType' | 'globalBlock'>,
    targets: ParameterTargets,
    unsaved: ReadonlyMap<number, unknown> = new Map(),
  ) {
    this.#memo = memo;
    this.#targets = targets;
    this.#unsaved = unsaved;
  }

  get marks(): PreviewMarks | undefined {
    return this.#marks;
  }

  /** From now on the output has marks. @param pageTree the tree of the page itself */
  startMarks(pageTree: unknown): PreviewMarks {
    this.#marks = new PreviewMarks(pageTree);
    return this.#marks;
  }

  /** What was wrong with blocks so far, in English. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  prepare(block: unknown): PreparedBlock | PreparedReference | string {
    if (!isMap(block)) return this.#problem('a block is no object');
    const { type: name, global } = block;
    if (global !== undefined && global !== null) return this.#reference(block, global);
    if (typeof name !== 'string') return this.#problem('a block has no type');
    const type = this.#memo.blockType(name);
    if (type === undefined) return this.#problem(`there is no block type ${shortened(name)}`);
    return prepareBlock(block, type, this.#targets);
  }

  entered({ id }: PreparedReference): void {
    this.#open.push(id);
  }

  left(): void {
    this.#open.pop();
  }

  #reference(block: Readonly<Record<string, unknown>>, global: unknown): PreparedReference | string {
    const id = Number.isSafeInteger(global) ? Number(global) : 0;
    if (this.#open.includes(id)) return this.#problem(`the global block ${id} contains itself`);
    const tree = this.#unsaved.has(id) ? this.#unsaved.get(id) : this.#memo.globalBlock(id);
    if (tree === undefined) return this.#problem(`there is no global block ${shortened(String(global))}`);
    if (!Array.isArray(tree)) return this.#problem(`the global block ${id} has no list of blocks`);
    const { overrides } = block;
    return { kind: 'global', id, tree: isMap(overrides) ? overlaid(tree, overrides) : tree };
  }

  /** Nothing on live pages, a notice in previews. */
  #problem(text: string): string {
    if (this.#problems.size < maxProblems) this.#problems.add(text);
    return this.#marks === undefined ? '' : `<div class="ic-block-problem">${escapeHtml(text)}</div>`;
  }
}

function shortened(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
