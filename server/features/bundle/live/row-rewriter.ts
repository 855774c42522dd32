/** Lets everything that names files or entries follow them to other IDs and paths. */
import { isDeepStrictEqual } from 'node:util';
import { findReferringParam } from '../../../../runtime/blocks/region-param.ts';
import { type Block, type BlockTree, blocksIn, isReference } from '../../../../runtime/blocks/tree.ts';
import { replaceTargets } from '../../../../runtime/fields/targets.ts';
import { replaceTags } from '../../../base/text.ts';
import { TreeRuleLookup } from '../../../content/blocks/tree-rule-lookup.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { Row } from '../rows.ts';
import type { BundleTable } from '../tables.ts';
import { type KnownField, knownFieldsIn, readFields } from './entries.ts';

/** New IDs and paths by those before. What is not named stays. */
export interface Moves {
  readonly file: ReadonlyMap<number, number>;
  readonly item: ReadonlyMap<number, number>;
  readonly paths: ReadonlyMap<string, string>;
}

type Values = Readonly<Record<string, unknown>>;

export class RowRewriter {
  /** Whether anything moves. */
  readonly isNeeded: boolean;
  readonly #db: ContentDb;
  readonly #moves: Moves;
  readonly #types: TreeRuleLookup;
  readonly #fields = new Map<number, Promise<readonly KnownField[]>>();

  /** @param db has the block types, global blocks and collections of the rows */
  constructor(db: ContentDb, moves: Moves) {
    this.#db = db;
    this.#moves = moves;
    this.#types = new TreeRuleLookup(db);
    this.isNeeded = moves.file.size + moves.item.size + moves.paths.size > 0;
  }

  /** The row itself if nothing in it moves. */
  async rewrite(table: BundleTable, row: Row): Promise<Row> {
    const changed: [string, unknown][] = [];
    for (const column of table.columns) {
      const before = row[column];
      const after = await this.#cell(table, column, row);
      if (after !== before) changed.push([column, after]);
    }
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
  }

  async #cell(table: BundleTable, column: string, row: Row): Promise<unknown> {
    const value = row[column];
    const kind = table.kind.name;
    if (column === table.owner && (kind === 'file' || kind === 'item'))
      return this.#moves[kind].get(Number(value)) ?? value;
    if (table.name === 'files' && column === 'path') return this.#moves.paths.get(String(value)) ?? value;
    const holder = table.names[column];
    if (holder === 'file') return this.#moves.file.get(Number(value)) ?? value;
    if (typeof value !== 'string') return value;
    const text = holder === undefined ? value : await this.#text(holder, value, row);
    return this.#withPaths(text);
  }

  async #text(holder: NonNullable<BundleTable['names'][string]>, text: string, row: Row): Promise<string> {
    if (holder === 'template') return this.#template(text);
    const before: unknown = JSON.parse(text);
    const after = await this.#json(holder, before, row);
    return after === before ? text : JSON.stringify(after);
  }

  async #json(holder: string, value: unknown, row: Row): Promise<unknown> {
    if (holder === 'tree') return this.#tree(value);
    if (holder === 'fields') return this.#defaults(value);
    if (!isObject(value)) return value;
    if (holder === 'regions') return this.#regions(value);
    if (holder === 'values') return this.#values(value, await this.#fieldsOf(Number(row['collection_id'])));
    return holder === 'blockType' ? this.#blockType(value) : this.#flow(value);
  }

  #fieldsOf(collection: number): Promise<readonly KnownField[]> {
    const known = this.#fields.get(collection) ?? readFields(this.#db, collection);
    this.#fields.set(collection, known);
    return known;
  }

  /** Values by the names of fields or parameters; the same object if none moves. */
  async #values(values: Values, fields: readonly KnownField[]): Promise<Values> {
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

  /** The value itself if it leads to nothing that moves. Pages keep their IDs. */
  #moved(value: unknown, field: KnownField): unknown {
    const { file, item } = this.#moves;
    return replaceTargets(value, field, ({ kind, id }) =>
      kind === 'page' ? id : ((kind === 'file' ? file : item).get(id) ?? id),
    );
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
    const schema = await this.#types.type(block.type);
    const params = await this.#values(block.params, schema?.params ?? []);
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

  async #reference(block: Extract<Block, { global: number }>): Promise<Block> {
    if (block.overrides === undefined) return block;
    const types = new Map<string, string>();
    const tree: BlockTree = (await this.#types.global(block.global))?.tree ?? [];
    for (const [, inner] of blocksIn(tree)) if (!isReference(inner)) types.set(inner.id, inner.type);
    const changed: [string, Values][] = [];
    for (const [id, values] of Object.entries(block.overrides)) {
      const type = types.get(id);
      const schema = type === undefined ? undefined : await this.#types.type(type);
      const after = await this.#values(values, schema?.params ?? []);
      if (after !== values) changed.push([id, after]);
    }
    if (changed.length === 0) return block;
    return { ...block, overrides: { ...block.overrides, ...Object.fromEntries(changed) } };
  }

  #blockType(schema: Values): Values {
    const before = schema['params'];
    const after = this.#defaults(before);
    return after === before ? schema : { ...schema, params: after };
  }

  /** The default values in a list of fields or parameters, and in the fields of groups; the list itself if none moves. */
  #defaults(list: unknown): unknown {
    if (!Array.isArray(list)) return list;
    const known = new Map(knownFieldsIn(list).map((field) => [field.name, field]));
    const after = list.map((definition: unknown) => {
      if (!isObject(definition)) return definition;
      const field = known.get(String(definition['name']));
      const value = field === undefined ? definition['default'] : this.#moved(definition['default'], field);
      const fields = this.#defaults(definition['fields']);
      return {
        ...definition,
        ...(value === definition['default'] ? {} : { default: value }),
        ...(fields === definition['fields'] ? {} : { fields }),
      };
    });
    return isDeepStrictEqual(after, list) ? list : after;
  }

  /** Nodes of a workflow that name an entry by its ID. */
  #flow(flow: Values): Values {
    const nodes: unknown = flow['nodes'];
    if (!Array.isArray(nodes)) return flow;
    let isChanged = false;
    const after = nodes.map((node: unknown) => {
      if (!isObject(node) || node['type'] !== 'collection' || !isObject(node['config'])) return node;
      const { id } = node['config'];
      const moved = this.#moves.item.get(Number(id));
      if (moved === undefined || (typeof id !== 'number' && typeof id !== 'string')) return node;
      isChanged = true;
      return { ...node, config: { ...node['config'], id: typeof id === 'number' ? moved : String(moved) } };
    });
    return isChanged ? { ...flow, nodes: after } : flow;
  }

  /** Calls with a literal number: `image(3)`, `item("news", "id", 7)`. */
  #template(text: string): string {
    const { file, item } = this.#moves;
    if (file.size + item.size === 0 || !/\b(?:image|file|data|item)\(/.test(text)) return text;
    const renumber = (moves: ReadonlyMap<number, number>) => (whole: string, before: string, id: string) => {
      const moved = moves.get(Number(id));
      return moved === undefined ? whole : `${before}${moved}`;
    };
    return replaceTags(text, ['{{', '{%'], (tag) =>
      tag
        .replaceAll(fileCall, renumber(file))
        .replaceAll(entryCall, (call) => call.replaceAll(idArgument, renumber(item))),
    );
  }

  #withPaths(text: string): string {
    const { paths } = this.#moves;
    if (paths.size === 0 || !text.includes('/media/')) return text;
    return text.replaceAll(mediaAddress, (whole, path: string) => {
      const moved = paths.get(path);
      return moved === undefined ? whole : `/media/${moved}`;
    });
  }
}

const fileCall = /(?<![\w.])((?:image|file)\(\s*)(\d+)(?=\s*[,)])/g;
const entryCall = /(?<![\w.])(?:data|item)\([^()]*\)/g;
const idArgument = /(["']id["']\s*,\s*["']?|\bid\s*=\s*["']?)(\d+)(?![\w.])/g;

/** Addresses of this website, as `mediaLinksIn` finds them. */
const mediaAddress = /(?<![\w.:-])\/media\/([a-z0-9_-]{1,200}\.[a-z0-9]{1,10})(?![a-z0-9_.-]*\/)/g;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
