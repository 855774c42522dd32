/**
 * Batches: several changes as one, through the same functions as the single endpoints (Data, Automation and
 * Operations, "Batch").
 */

import { createHash, type Hash } from 'node:crypto';
import type { Actor } from '../../base/actor.ts';
import { findReadLimits } from '../../base/content-overlay.ts';
import { apiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Change, Changes } from '../../changes/changes.ts';
import { mayReadObject } from '../../content/kinds/decide.ts';
import { keepJournal } from '../../content/kinds/journal/journal.ts';
import type { BatchScope, Kind } from '../../content/kinds/kind.ts';
import { listReadable } from '../../content/kinds/readable.ts';
import type { ContentDb } from '../../db/tables.ts';
import { parsePerson } from '../auth/on-behalf.ts';
import { withIndex } from './fault.ts';
import {
  type BatchForm,
  type FindScope,
  type Operation,
  readForm,
  refuseUnknown,
  scopeRefsIn,
} from './form.ts';
import { type BatchAnswer, type BatchResult, batchLimits, type StoredBatch } from './model.ts';
import { BatchRun, findUpdatedAt } from './run.ts';
import { deleteBatchesBefore, findBatch, insertBatch } from './store.ts';

export interface BatchDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly collect: CollectOperations;
}

/**
 * Puts operations into a change set instead of running them.
 *
 * @throws ApiError the error of the first operation that is refused, with its index; nothing is written
 */
export type CollectOperations = (
  change: Change,
  setId: number,
  operations: readonly Operation[],
  strict: boolean,
) => Promise<BatchResult[]>;

export interface BatchOptions {
  readonly strict?: boolean;
  readonly change_set?: number;
}

export interface AppliedBatch {
  /** JSON of a `BatchAnswer`. */
  readonly answer: string;
  /** Whether the batch had been applied before, so that nothing was done now. */
  readonly isReplay: boolean;
}

/**
 * Applies a batch, or puts it into a change set, or answers as before if its key was used already.
 *
 * @throws ApiError `batch.*`, or the error of the first operation that fails, with its index; nothing is written
 */
export async function applyBatch(
  { reader, changes, kinds, collect }: BatchDeps,
  actor: Actor,
  body: unknown,
  { strict = false, change_set: setId }: BatchOptions,
): Promise<AppliedBatch> {
  const form = readForm(body, kinds, await findScopes(reader, body, kinds));
  if (strict) refuseUnknown(body);
  for (const operation of form.operations) await checkBefore(operation, strict);
  const hash = form.key === undefined ? '' : await hashOf(body);
  const author = onBehalf(actor, form);
  if (setId !== undefined)
    return changes.changeUnversioned(author, async (change) => {
      const key = form.key === undefined ? undefined : { sent: form.key, stored: keyOfSet(setId, form.key) };
      const known = await findKnown(change, key?.stored, hash);
      if (known !== undefined) return { answer: known, isReplay: true };
      const results = await collect(change, setId, form.operations, strict);
      return { answer: await storeAnswer(change, key, hash, results), isReplay: false };
    });
  const done = await changes.change(author, async (change) => {
    const known = await findKnown(change, form.key, hash);
    if (known !== undefined) return { answer: known, isReplay: true };
    await checkBases(change, form.operations);
    const execute = async (inner: Change) => {
      const run = new BatchRun(inner, strict);
      for (const operation of form.operations) await run.execute(operation);
      return run;
    };
    // One without a key has no name by which anybody could revert it.
    const { key } = form;
    const run =
      key === undefined
        ? await execute(change)
        : await keepJournal(change, kinds, { source: 'batch', key }, execute);
    run.finish((results) => keepAnswer(change, form.key, hash, results));
    return { run, isReplay: false };
  });
  return 'run' in done ? { answer: done.run.answer, isReplay: false } : done;
}

/**
 * Runs operations as a part of a change. Their texts are stored without being checked, so they come from the server itself.
 *
 * @returns IDs of their objects
 * @throws ApiError as `applyBatch`
 */
export async function runOperations(
  change: Change,
  kinds: ReadonlyMap<string, Kind>,
  ops: readonly object[],
): Promise<number[]> {
  const body = { ops };
  const { operations } = readForm(body, kinds, await findScopes(change.tx, body, kinds));
  const run = new BatchRun(change, false);
  const ids: number[] = [];
  for (const operation of operations) ids.push((await run.execute(operation)).id);
  return ids;
}

/** @throws ApiError with the index of the operation that another process refuses */
async function checkBefore({ kind, data, index }: Operation, isStrict: boolean): Promise<void> {
  try {
    await kind.checkBefore?.(data, isStrict);
  } catch (error) {
    throw withIndex(error, index);
  }
}

/** Finds all collections that the operations name, so that it is known which of their fields hold IDs. */
async function findScopes(
  db: ContentDb,
  body: unknown,
  kinds: ReadonlyMap<string, Kind>,
): Promise<FindScope> {
  const found = new Map<Kind, Map<string | number, BatchScope | undefined>>();
  for (const [kind, refs] of scopeRefsIn(body, kinds)) {
    const scopes = new Map<string | number, BatchScope | undefined>();
    for (const ref of refs) scopes.set(ref, await kind.batch?.within?.find(db, ref));
    found.set(kind, scopes);
  }
  return (kind, ref) => found.get(kind)?.get(ref);
}

/**
 * The answer of the batch with a key, for who may read all that it has created and changed. Of what it has deleted it
 * tells nothing but which objects they were.
 *
 * @throws ApiError `common.notFound`
 */
export async function findAnswer(
  db: ContentDb,
  { grants }: Actor,
  key: string,
  now: number,
): Promise<StoredBatch> {
  const stored = await findBatch(db, key, now - batchLimits.keySeconds);
  if (stored === undefined) throw apiError('common.notFound', {});
  // Type boundary: only `storeAnswer` writes this JSON.
  const answer = JSON.parse(stored.answer) as BatchAnswer;
  const left = answer.results.filter(({ deleted }) => deleted !== true);
  const readable = await listReadable(db, grants, findReadLimits(), left);
  if (readable.length < left.length) throw apiError('common.notFound', {});
  return { applied: true, ...answer };
}

/** @throws ApiError 409 `batch.keyReused` */
async function findKnown(
  { tx, now }: Change,
  key: string | undefined,
  hash: string,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const stored = await findBatch(tx, key, now - batchLimits.keySeconds);
  if (stored !== undefined && stored.hash !== hash)
    throw apiError('batch.keyReused', { idempotency_key: key });
  return stored?.answer;
}

/** A key in a change set is another one than the same key elsewhere: no request can send one of this length. */
function keyOfSet(setId: number, key: string): string {
  return `${`change_set ${setId} `.padEnd(batchLimits.key + 1, '.')}${key}`;
}

/** Ends a batch that was run: tells of it, and keeps its answer. Within the change of the batch itself. */
function keepAnswer(
  change: Change,
  key: string | undefined,
  hash: string,
  results: readonly BatchResult[],
): Promise<string> {
  const fields = { idempotency_key: key ?? '', results };
  change.announce({ event: 'batch.applied', fields, changes: results.length });
  return storeAnswer(change, key === undefined ? undefined : { sent: key, stored: key }, hash, results);
}

/** Stores the answer under the key of the batch, if it has one. */
async function storeAnswer(
  { tx, now, writeUnversioned }: Change,
  key: { readonly sent: string; readonly stored: string } | undefined,
  hash: string,
  results: readonly BatchResult[],
): Promise<string> {
  const made: BatchAnswer = { idempotency_key: key?.sent ?? '', results: [...results], applied_at: now };
  const answer = JSON.stringify(made);
  if (key === undefined) return answer;
  await writeUnversioned(async () => {
    await deleteBatchesBefore(tx, now - batchLimits.keySeconds);
    await insertBatch(tx, { idempotency_key: key.stored, hash, answer, applied_at: now });
  });
  return answer;
}

/** @throws ApiError 409 `batch.conflict` with all objects that have changed since the client loaded them */
export async function checkBases(
  { tx, actor: { grants } }: Pick<Change, 'tx' | 'actor'>,
  operations: readonly Operation[],
): Promise<void> {
  const conflicts = [];
  for (const { index, kind, target, base } of operations) {
    if (base === undefined || typeof target !== 'number') continue;
    const state = await kind.find(tx, target);
    const current = state === undefined ? undefined : findUpdatedAt(state);
    // The operation itself answers as if the object were not there.
    if (state === undefined || !(await mayReadObject(grants, kind, tx, state))) continue;
    if (current === undefined || current === base) continue;
    conflicts.push({ index, kind: kind.name, id: target, updated_at: current });
  }
  if (conflicts.length > 0) throw apiError('batch.conflict', { count: conflicts.length, conflicts });
}

/** The person of the body wins over that of the header; sessions write for nobody. */
function onBehalf(actor: Actor, { onBehalfOf }: BatchForm): Actor {
  if (onBehalfOf === undefined || (actor.kind !== 'token' && actor.kind !== 'master')) return actor;
  const { onBehalfOf: _fromHeader, ...caller } = actor;
  const person = parsePerson(onBehalfOf);
  return person === undefined ? caller : { ...caller, onBehalfOf: person };
}

/** The identity of a request for its key: the body without the key. */
function hashOf(body: unknown): Promise<string> {
  const { idempotency_key: _key, ...content } = Object(body);
  return hashOfJson(content);
}

/** Characters of one text after which others have their turn. */
const sliceCharacters = 2 ** 20;

/**
 * SHA-256 of a JSON value as hex; the order of fields does not count. A body may have 16 MB, so it is made in
 * slices.
 */
export async function hashOfJson(value: unknown): Promise<string> {
  const walk = new HashWalk();
  await walk.add(value);
  return walk.digest();
}

class HashWalk {
  readonly #hash: Hash = createHash('sha256');
  readonly #slices = new TimeSlices();

  async add(value: unknown): Promise<void> {
    if (this.#slices.isOver) await this.#slices.pause();
    if (typeof value === 'string') return this.#addText(value);
    if (typeof value !== 'object' || value === null) {
      this.#hash.update(`${value};`);
      return;
    }
    const fields = Object.entries(value);
    this.#hash.update(`${Array.isArray(value) ? '[' : '{'}${fields.length};`);
    if (!Array.isArray(value)) fields.sort(([left], [right]) => (left < right ? -1 : 1));
    for (const [name, field] of fields) {
      if (!Array.isArray(value)) await this.#addText(name);
      await this.add(field);
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  /** With its length in front, so that different values never give the same bytes. */
  async #addText(text: string): Promise<void> {
    this.#hash.update(`"${text.length};`);
    for (let start = 0; start < text.length; start += sliceCharacters) {
      if (start > 0) await this.#slices.pause();
      // As UTF-16, so that a text may be cut anywhere.
      this.#hash.update(text.slice(start, start + sliceCharacters), 'utf16le');
    }
  }
}
