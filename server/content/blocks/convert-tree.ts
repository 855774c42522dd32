/**
 * From a block tree that a client sends to the tree that is stored, by the rules of Core, "Block tree". What holds
 * of the result: every ID is valid and unique, every parameter has a value of its type or null, only slots with
 * blocks are there, and converting it once more changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BlockParam, BlockSchema, BlockSlot } from '../../../runtime/blocks/schema.ts';
import {
  type Block,
  type BlockOverrides,
  type BlockTree,
  blocksIn,
  type GlobalReference,
  isReference,
  type TypedBlock,
  treeLimits,
} from '../../../runtime/blocks/tree.ts';
import { ConversionError, joinPath } from '../../../runtime/fields/definition.ts';
import { convertParameter } from '../../../runtime/fields/types.ts';
import { type ApiError, apiError, type ErrorCode, type ErrorParams } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { ContentDb } from '../../db/tables.ts';
import { findInnerFault } from '../fields/inner-values.ts';
import { findBrokenRule } from '../fields/rules.ts';
import { findFaultInTarget } from './targets.ts';
import { type GlobalFacts, TreeRuleLookup } from './tree-rule-lookup.ts';

/** The codes of {@link convertTree}. */
export const treeErrors = [
  'block.treeInvalid',
  'block.typeMissing',
  'block.typeUnknown',
  'block.notABlock',
  'block.paramRequired',
  'block.paramInvalid',
  'block.slotUnknown',
  'block.slotNotAllowed',
  'block.slotMax',
  'block.tooDeep',
  'block.tooLarge',
  'block.globalUnknown',
  'block.globalCycle',
  'block.globalNotAllowed',
] as const satisfies readonly ErrorCode[];

/** Where a tree is stored. */
export interface TreePlace {
  /** Field of an entry; the params of errors name it. */
  readonly field?: string;
  /** The global block that has the tree. */
  readonly globalId?: number;
  /** The stored tree. What is sent as it is there may refer to what is gone. */
  readonly before?: unknown;
}

/** A value that the stored tree has no place for: the path of its block, and what it is called. */
export interface DroppedValue {
  readonly path: string;
  readonly name: string;
}

export interface ConvertedTree {
  readonly tree: BlockTree;
  readonly dropped: readonly DroppedValue[];
}

/** @throws ApiError with one of {@link treeErrors} */
export async function convertTree(
  db: ContentDb,
  sent: TrustedTree | unknown,
  place: TreePlace = {},
): Promise<BlockTree> {
  return sent instanceof TrustedTree ? sent.tree : (await new TreeConversion(db, place).convert(sent)).tree;
}

/** The same, with what the tree loses. @throws ApiError with one of {@link treeErrors} */
export function convertWithLosses(db: ContentDb, sent: unknown, place: TreePlace): Promise<ConvertedTree> {
  return new TreeConversion(db, place).convert(sent);
}

/**
 * A tree in the place of one that is sent, which is stored as it is. No JSON text of a client becomes an object of
 * this class.
 */
export class TrustedTree {
  readonly tree: BlockTree;

  private constructor(tree: BlockTree) {
    this.tree = tree;
  }

  /** A tree that `convertTree` gave. */
  static fromConverted(tree: BlockTree): TrustedTree {
    return new TrustedTree(tree);
  }

  /**
   * A tree of an earlier state of an object: types, files and entries may be gone since, and a block without a type
   * shows nothing. Type boundary: such a tree was checked when it was saved.
   */
  static fromHistory(tree: unknown): TrustedTree {
    return new TrustedTree(Array.isArray(tree) ? (tree as BlockTree) : []);
  }
}

/** Most characters of a name from outside in the params of an error. */
const shownLength = 200;

type Json = Readonly<Record<string, unknown>>;
type TreeErrorCode = (typeof treeErrors)[number];
type ParamsOf<Code extends ErrorCode> = ErrorParams<Code> & object;

/** Why a part of a value is wrong. */
type PartFault = Pick<ConversionError, 'path' | 'reason'>;

/** The conversion of one tree. */
class TreeConversion {
  readonly #surroundings: TreeRuleLookup;
  readonly #place: TreePlace;
  readonly #ids = new Set<string>();
  readonly #dropped: DroppedValue[] = [];
  /** Stored blocks by their IDs. */
  readonly #before = new Map<string, Block>();
  /** IDs anywhere in the sent tree, which new IDs must differ from. */
  #sentIds: ReadonlySet<unknown> | undefined;
  #sent: unknown;
  readonly #slices = new TimeSlices();

  constructor(db: ContentDb, place: TreePlace) {
    this.#surroundings = new TreeRuleLookup(db);
    this.#place = place;
    const { before } = place;
    for (const [, block] of blocksIn(TrustedTree.fromHistory(before).tree)) this.#before.set(block.id, block);
  }

  async convert(sent: unknown): Promise<ConvertedTree> {
    if (!Array.isArray(sent)) throw this.#error('block.treeInvalid', { path: '' });
    this.#requireSize(sent);
    this.#sent = sent;
    const tree = await this.#list(sent, '', 1);
    if (this.#sentIds !== undefined) this.#requireSize(tree);
    return { tree, dropped: this.#dropped };
  }

  async #list(sent: readonly unknown[], at: string, level: number): Promise<BlockTree> {
    const list: Block[] = [];
    for (const [index, block] of sent.entries()) {
      if (this.#slices.isOver) await this.#slices.pause();
      list.push(await this.#block(block, `${at}${index}`, level));
    }
    return list;
  }

  async #block(sent: unknown, path: string, level: number): Promise<Block> {
    if (!isObject(sent)) throw this.#error('block.treeInvalid', { path });
    if (level > treeLimits.levels) throw this.#error('block.tooDeep', { path, max: treeLimits.levels });
    const { global } = sent;
    if (global !== undefined && global !== null) return this.#reference(sent, global, path, level);
    const type = sent['type'];
    const isMissing = type === undefined || type === null || type === '';
    if (isMissing) throw this.#error('block.typeMissing', { path });
    if (typeof type !== 'string') throw this.#error('block.treeInvalid', { path });
    const schema = await this.#surroundings.type(type);
    const kept = schema === undefined || schema === null ? this.#unchanged(sent) : undefined;
    if (kept !== undefined) return kept;
    if (schema === undefined)
      throw this.#error('block.typeUnknown', { path, type: type.slice(0, shownLength) });
    if (schema === null) throw this.#error('block.notABlock', { path, type });
    const id = this.#idOf(sent);
    const before = this.#before.get(id);
    const known = before !== undefined && !isReference(before) && before.type === type ? before.params : {};
    const params = await this.#params(this.#objectOf(sent['params'], path), schema, path, known);
    const slots = await this.#slots(this.#objectOf(sent['slots'], path), schema, { path, type, level });
    const block: TypedBlock = { id, type, params };
    return slots.length === 0 ? block : { ...block, slots: Object.fromEntries(slots) };
  }

  /** A block that is sent as it is stored, though its type or global block is gone. */
  #unchanged(sent: Json): Block | undefined {
    const before = this.#before.get(String(sent['id']));
    if (before === undefined || !isDeepStrictEqual(sent, before)) return undefined;
    for (const [, block] of blocksIn([before])) this.#ids.add(block.id);
    return before;
  }

  /** @param before stored values of the block */
  async #params(sent: Json, { params }: BlockSchema, path: string, before: Json): Promise<Json> {
    const known: [string, unknown][] = [];
    for (const param of params) {
      const isSent = Object.hasOwn(sent, param.name);
      const isStored = isSent && isSameValue(param.name, sent, before);
      const value = isSent ? await this.#param(sent[param.name], param, path, isStored) : null;
      if (value === null && !isStored) this.#requireValue(param, path);
      if (isSent) known.push([param.name, value]);
    }
    this.#noteDropped(sent, params, path);
    return Object.fromEntries(known);
  }

  /** @param isStored whether the value is the stored one, which stays though it fits no more */
  async #param(sent: unknown, param: BlockParam, path: string, isStored: boolean): Promise<unknown> {
    const value = convertParameter(sent, param);
    const misfit = value instanceof ConversionError ? value : await this.#faultInValue(value, param);
    if (misfit === undefined) return value;
    if (isStored) return sent;
    const { path: part, reason: error } = misfit;
    throw this.#error('block.paramInvalid', { path, param: joinPath(param.name, part), error });
  }

  /** What is wrong with a converted value: by the rules of its parameter, in a group, or with what it leads to. */
  async #faultInValue(value: unknown, param: BlockParam): Promise<PartFault | undefined> {
    const broken = findBrokenRule(value, param);
    if (broken !== undefined) return { path: '', reason: broken };
    return findInnerFault(value, param) ?? (await findFaultInTarget(this.#surroundings, value, param));
  }

  #requireValue(param: BlockParam, path: string): void {
    const hasDefault = param.default !== null && param.default !== '';
    if (param.required && !hasDefault) throw this.#error('block.paramRequired', { path, param: param.name });
  }

  async #slots(
    sent: Json,
    { slots }: BlockSchema,
    owner: { readonly path: string; readonly type: string; readonly level: number },
  ): Promise<[string, BlockTree][]> {
    const { path, type, level } = owner;
    const filled: [string, BlockTree][] = [];
    for (const [name, list] of Object.entries(sent)) {
      const slot = slots.find((known) => known.name === name);
      if (slot === undefined)
        throw this.#error('block.slotUnknown', { path, slot: name.slice(0, shownLength), type });
      const at = `${path}.slots.${name}`;
      if (!Array.isArray(list)) throw this.#error('block.treeInvalid', { path: at });
      if (slot.max > 0 && list.length > slot.max)
        throw this.#error('block.slotMax', { path, slot: name, max: slot.max });
      const blocks = await this.#list(list, `${at}.`, level + 1);
      for (const [index, block] of blocks.entries())
        await this.#requireAllowed(block, slot, `${at}.${index}`);
      if (blocks.length > 0) filled.push([name, blocks]);
    }
    return filled;
  }

  async #requireAllowed(block: Block, { name, allow }: BlockSlot, path: string): Promise<void> {
    if (allow.length === 0) return;
    if ('global' in block) {
      const { topTypes = [] } = (await this.#surroundings.global(block.global)) ?? {};
      const other = topTypes.find((type) => !allow.includes(type));
      if (other === undefined) return;
      throw this.#error('block.globalNotAllowed', { path, slot: name, id: block.global, type: other });
    }
    if (!allow.includes(block.type))
      throw this.#error('block.slotNotAllowed', { path, slot: name, type: block.type });
  }

  async #reference(sent: Json, global: unknown, path: string, level: number): Promise<Block> {
    if (!isGlobalId(global)) throw this.#error('block.treeInvalid', { path });
    const { globalId } = this.#place;
    const facts = await this.#surroundings.global(global);
    const kept = facts === undefined ? this.#unchanged(sent) : undefined;
    if (kept !== undefined) return kept;
    if (facts === undefined) throw this.#error('block.globalUnknown', { path, id: global });
    if (globalId !== undefined && (global === globalId || facts.contains.has(globalId)))
      throw this.#error('block.globalCycle', { id: globalId });
    if (level - 1 + facts.levels > treeLimits.levels)
      throw this.#error('block.tooDeep', { path, max: treeLimits.levels });
    const id = this.#idOf(sent);
    const before = this.#before.get(id);
    const known = before !== undefined && isReference(before) ? (before.overrides ?? {}) : {};
    const overrides = await this.#overrides(this.#objectOf(sent['overrides'], path), facts, path, known);
    const reference: GlobalReference = { id, global };
    return overrides.length === 0 ? reference : { ...reference, overrides: Object.fromEntries(overrides) };
  }

  async #overrides(
    sent: Json,
    { tree }: GlobalFacts,
    path: string,
    before: BlockOverrides,
  ): Promise<[string, Json][]> {
    const blocks = Object.keys(sent).length === 0 ? new Map() : typesById(tree);
    const kept: [string, Json][] = [];
    for (const [id, values] of Object.entries(sent)) {
      const at = `${path}.overrides.${id}`;
      if (!isObject(values)) throw this.#error('block.treeInvalid', { path: at });
      const type = blocks.get(id);
      const schema = type === undefined ? undefined : await this.#surroundings.type(type);
      if (schema === undefined || schema === null) {
        this.#dropped.push({ path: at, name: id });
        continue;
      }
      const known: [string, unknown][] = [];
      for (const param of schema.params) {
        if (!Object.hasOwn(values, param.name)) continue;
        const isStored = isSameValue(param.name, values, before[id] ?? {});
        const value = await this.#param(values[param.name], param, at, isStored);
        if (value === null && !isStored) this.#requireValue(param, at);
        known.push([param.name, value]);
      }
      this.#noteDropped(values, schema.params, at);
      if (known.length > 0) kept.push([id, Object.fromEntries(known)]);
    }
    return kept;
  }

  #noteDropped(sent: Json, params: readonly BlockParam[], path: string): void {
    for (const name of Object.keys(sent)) {
      if (!params.some((param) => param.name === name)) this.#dropped.push({ path, name });
    }
  }

  /** `params`, `slots` and `overrides` may be left out. */
  #objectOf(sent: unknown, path: string): Json {
    if (sent === undefined || sent === null) return {};
    if (!isObject(sent)) throw this.#error('block.treeInvalid', { path });
    return sent;
  }

  /** The ID of a block: its own, or a new one if it has none or not a valid one, or another block has it already. */
  #idOf({ id }: Json): string {
    const isUsable = typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id) && !this.#ids.has(id);
    const own = isUsable ? id : this.#newId();
    this.#ids.add(own);
    return own;
  }

  #newId(): string {
    this.#sentIds ??= idsIn(this.#sent);
    for (;;) {
      const id = `b${Array.from(randomBytes(6), (byte) => (byte % 36).toString(36)).join('')}`;
      if (!this.#ids.has(id) && !this.#sentIds.has(id)) return id;
    }
  }

  #requireSize(tree: unknown): void {
    if (Buffer.byteLength(JSON.stringify(tree)) > treeLimits.bytes)
      throw this.#error('block.tooLarge', { max: treeLimits.bytes });
  }

  #error<Code extends TreeErrorCode>(code: Code, params: ParamsOf<Code>): ApiError {
    const { field } = this.#place;
    return apiError(code, field === undefined ? params : { ...params, field });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGlobalId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** The types of the blocks of a tree by their IDs. */
function typesById(tree: BlockTree): Map<string, string> {
  const types = new Map<string, string>();
  const queue = [...tree];
  // The loop also visits blocks that are added while it runs.
  for (const block of queue) {
    if ('global' in block) continue;
    types.set(block.id, block.type);
    for (const list of Object.values(block.slots ?? {})) queue.push(...list);
  }
  return types;
}

/** The IDs of all objects anywhere in a value. */
function idsIn(value: unknown): Set<unknown> {
  const ids = new Set<unknown>();
  const queue = [value];
  for (const current of queue) {
    if (typeof current !== 'object' || current === null) continue;
    if ('id' in current) ids.add(current.id);
    for (const inner of Object.values(current)) if (typeof inner === 'object') queue.push(inner);
  }
  return ids;
}

function isSameValue(name: string, sent: Json, before: Json): boolean {
  return Object.hasOwn(before, name) && isDeepStrictEqual(sent[name], before[name]);
}
