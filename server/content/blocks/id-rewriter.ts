/** Lets everything that names objects follow them to other IDs, and files to other paths. */
import { findReferringParam } from '../../../runtime/blocks/region-param.ts';
import { readBlockSchema } from '../../../runtime/blocks/schema.ts';
import { type Block, type BlockTree, blocksIn, isReference } from '../../../runtime/blocks/tree.ts';
import { readTargetFields, replaceTargets, type TargetField } from '../../../runtime/fields/targets.ts';
import { replaceTags } from '../../base/text.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { IdHolder } from '../kinds/kind.ts';
import { TreeRuleLookup } from './tree-rule-lookup.ts';

/** New IDs and paths by those before. What is not named stays. */
export interface Moves {
  /** By kind. */
  readonly ids: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly paths: ReadonlyMap<string, string>;
}

/** The definitions that say where values have IDs. They are asked for by the names and IDs before. */
export interface Definitions {
  /** Parameters of a block type. */
  params(blockType: string): Promise<readonly TargetField[]>;
  globalTree(id: number): Promise<BlockTree | undefined>;
  fields(collection: number): Promise<readonly TargetField[]>;
}

/** The definitions that a database has. @param readFields reads those of a collection */
export function findDefinitions(db: ContentDb, readFields: Definitions['fields']): Definitions {
  const lookup = new TreeRuleLookup(db);
  const fields = new Map<number, Promise<readonly TargetField[]>>();
  return {
    params: async (blockType) => (await lookup.type(blockType))?.params ?? [],
    globalTree: async (id) => (await lookup.global(id))?.tree,
    fields(collection) {
      const known = fields.get(collection) ?? readFields(collection);
      fields.set(collection, known);
      return known;
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

export class IdRewriter {
  /** Whether anything moves. */
  readonly isNeeded: boolean;
  readonly #moves: Moves;
  readonly #definitions: Definitions;

  constructor(moves: Moves, definitions: Definitions) {
    this.#moves = moves;
    this.#definitions = definitions;
    this.isNeeded = moves.paths.size > 0 || [...moves.ids.values()].some(({ size }) => size > 0);
  }

  /** The new ID of an object. */
  idOf(kind: string, id: number): number {
    return this.#moves.ids.get(kind)?.get(id) ?? id;
  }

  /** The new path of a file. */
  pathOf(path: string): string {
    return this.#moves.paths.get(path) ?? path;
  }

  /**
   * A cell of a row; the same value if nothing in it moves.
   *
   * @param holder how it names objects; undefined for a text that names files by their addresses only
   * @param collection of an entry
   */
  async rewriteCell(holder: IdHolder | undefined, cell: unknown, collection: number): Promise<unknown> {
    if (holder === 'file' || typeof cell !== 'string') return this.rewriteValue(holder, cell, collection);
    const isJson = holder !== undefined && holder !== 'template';
    if (!isJson) return this.rewriteValue(holder, cell, collection);
    const before: unknown = JSON.parse(cell);
    const after = await this.rewriteValue(holder, before, collection);
    return this.withPaths(after === before ? cell : JSON.stringify(after));
  }

  /** The same for a value as the API has it. */
  async rewriteValue(holder: IdHolder | undefined, value: unknown, collection: number): Promise<unknown> {
    if (holder === 'file') return typeof value === 'number' ? this.idOf('file', value) : value;
    if (typeof value !== 'string')
      return holder === undefined ? value : this.#json(holder, value, collection);
    return this.withPaths(holder === 'template' ? this.#template(value) : value);
  }

  /** A text with the addresses of files where they are now. */
  withPaths(text: string): string {
    const { paths } = this.#moves;
    if (paths.size === 0 || !text.includes('/media/')) return text;
    return text.replaceAll(mediaAddress, (whole, path: string) => {
      const moved = paths.get(path);
      return moved === undefined ? whole : `/media/${moved}`;
    });
  }

  async #json(holder: IdHolder, value: unknown, collection: number): Promise<unknown> {
    if (holder === 'tree') return this.#tree(value);
    if (holder === 'fields') return this.#definedFields(value);
    if (!isObject(value)) return value;
    if (holder === 'regions') return this.#regions(value);
    if (holder === 'values') return this.#values(value, await this.#definitions.fields(collection));
    return holder === 'blockType' ? this.#blockType(value) : this.#flow(value);
  }

  /** Values by the names of fields or parameters; the same object if none moves. */
  async #values(values: Values, fields: readonly TargetField[]): Promise<Values> {
    const changed: [string, unknown][] = [];
    for (const field of fields) {
      const { name, type } = field;
      if (!Object.hasOwn(values, name)) continue;
      const before = values[name];
      const after = type === 'blocks' ? await this.#tree(before) : this.#moved(before, field);
      if (after !== before) changed.push([name, after]);
    }
    return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) };
  }

  /** The words of a page: which of them refer to something follows from their form. */
  #regions(values: Values): Values {
    const entries = Object.entries(values).map(([name, before]) => {
      const param = findReferringParam(name, before);
      return [name, param === undefined ? before : this.#moved(before, param)] as const;
    });
    return entries.every(([name, after]) => after === values[name]) ? values : Object.fromEntries(entries);
  }

  /** The value itself if it leads to nothing that moves. */
  #moved(value: unknown, field: TargetField): unknown {
    return replaceTargets(value, field, ({ kind, id }) => this.idOf(kind, id));
  }

  async #tree(tree: unknown): Promise<unknown> {
    if (!Array.isArray(tree)) return tree;
    let isChanged = false;
    const blocks: unknown[] = [];
    for (const block of tree) {
      const after = isObject(block) ? await this.#block(block as unknown as Block) : block;
      isChanged ||= after !== block;
      blocks.push(after);
    }
    return isChanged ? blocks : tree;
  }

  async #block(block: Block): Promise<Block> {
    if (isReference(block)) return this.#reference(block);
    const params = await this.#values(block.params, await this.#definitions.params(block.type));
    const slots: [string, unknown][] = [];
    let isChanged = params !== block.params;
    for (const [name, list] of Object.entries(block.slots ?? {})) {
      const after = await this.#tree(list);
      isChanged ||= after !== list;
      slots.push([name, after]);
    }
    if (!isChanged) return block;
    const made = { ...block, params };
    // Type boundary: a moved tree has the form of the tree before.
    return block.slots === undefined ? made : ({ ...made, slots: Object.fromEntries(slots) } as Block);
  }

  async #reference(before: Extract<Block, { global: number }>): Promise<Block> {
    const global = this.idOf('global_block', before.global);
    const block = global === before.global ? before : { ...before, global };
    if (block.overrides === undefined) return block;
    const types = new Map<string, string>();
    const tree: BlockTree = (await this.#definitions.globalTree(before.global)) ?? [];
    for (const [, inner] of blocksIn(tree)) if (!isReference(inner)) types.set(inner.id, inner.type);
    const changed: [string, Values][] = [];
    for (const [id, values] of Object.entries(block.overrides)) {
      const type = types.get(id);
      const params = type === undefined ? [] : await this.#definitions.params(type);
      const after = await this.#values(values, params);
      if (after !== values) changed.push([id, after]);
    }
    if (changed.length === 0) return block;
    return { ...block, overrides: { ...block.overrides, ...Object.fromEntries(changed) } };
  }

  /** The default values of parameters, and the collections that they lead to. */
  #blockType(schema: Values): Values {
    const params: unknown = schema['params'];
    const known = new Map(readBlockSchema(schema).params.map((param) => [param.name, param]));
    const after = this.#definedFields(params, (name) => known.get(name));
    return after === params ? schema : { ...schema, params: after };
  }

  /** The definitions of fields; those of groups have some of their own. */
  #definedFields(list: unknown, find?: (name: string) => TargetField | undefined): unknown {
    if (!Array.isArray(list)) return list;
    const after = list.map((definition: unknown) =>
      isObject(definition)
        ? this.#definition(
            definition,
            find?.(String(definition['name'])) ?? readTargetFields([definition])[0],
          )
        : definition,
    );
    return after.every((one, place) => one === list[place]) ? list : after;
  }

  #definition(definition: Values, field: TargetField | undefined): Values {
    const { collection, default: value, fields } = definition;
    const changed = Object.entries({
      collection: typeof collection === 'number' ? this.idOf('collection', collection) : collection,
      default: field === undefined ? value : this.#moved(value, field),
      fields: this.#definedFields(fields),
    }).filter(([name, after]) => after !== definition[name]);
    return changed.length === 0 ? definition : { ...definition, ...Object.fromEntries(changed) };
  }

  /** Nodes of a workflow that name an entry by its ID. */
  #flow(flow: Values): Values {
    const nodes: unknown = flow['nodes'];
    if (!Array.isArray(nodes)) return flow;
    let isChanged = false;
    const after = nodes.map((node: unknown) => {
      if (!isObject(node) || node['type'] !== 'collection' || !isObject(node['config'])) return node;
      const { id } = node['config'];
      const moved = this.idOf('item', Number(id));
      if (moved === Number(id) || (typeof id !== 'number' && typeof id !== 'string')) return node;
      isChanged = true;
      return { ...node, config: { ...node['config'], id: typeof id === 'number' ? moved : String(moved) } };
    });
    return isChanged ? { ...flow, nodes: after } : flow;
  }

  /** Calls with a literal number: `image(3)`, `children(5)`, `item("news", "id", 7)`. */
  #template(text: string): string {
    if (!callWithId.test(text)) return text;
    const renumber = (kind: string) => (whole: string, before: string, id: string) => {
      const moved = this.idOf(kind, Number(id));
      return moved === Number(id) ? whole : `${before}${moved}`;
    };
    return replaceTags(text, ['{{', '{%'], (tag) =>
      tag
        .replaceAll(fileCall, renumber('file'))
        .replaceAll(pageCall, renumber('page'))
        .replaceAll(entryCall, (call) => call.replaceAll(idArgument, renumber('item'))),
    );
  }
}

const callWithId = /\b(?:image|file|children|data|item)\(/;
const pageCall = /(?<![\w.])(children\(\s*)(\d+)(?=\s*[,)])/g;
const fileCall = /(?<![\w.])((?:image|file)\(\s*)(\d+)(?=\s*[,)])/g;
const entryCall = /(?<![\w.])(?:data|item)\([^()]*\)/g;
const idArgument = /(["']id["']\s*,\s*["']?|\bid\s*=\s*["']?)(\d+)(?![\w.])/g;

/** Addresses of this website, as `mediaLinksIn` finds them. */
const mediaAddress = /(?<![\w.:-])\/media\/([a-z0-9_-]{1,200}\.[a-z0-9]{1,10})(?![a-z0-9_.-]*\/)/g;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
