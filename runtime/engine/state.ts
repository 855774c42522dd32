/** The state of one render, passed to all compiled functions: budgets, host, environment. */

import { showsTime } from '../dates/format.ts';
import type { FilterEnv } from '../filters/filter.ts';
import { filters } from '../filters/index.ts';
import { takeChargedWork } from '../values/effort.ts';
import { SafeString } from '../values/safe.ts';
import type { BlockSource } from './block-source.ts';
import { checkOutput, renderLimits, tooDeep } from './budgets.ts';
import { propagateRebinds, rebindIn } from './context.ts';
import { TemplateFault } from './faults.ts';
import type { Instance } from './instance.ts';
import type { RegionSource } from './region-source.ts';
import { type LoopMemory, RenderMemory, type Suspended } from './render-memory.ts';
import { findStartMs, type RenderLinks, type RenderScope } from './scope.ts';

/** Rounds or calls between two checks of the budgets. */
const checkEvery = 2_048;

/** Passing a value to a filter is free up to this many characters or entries. */
const chargeFrom = 1_024;

/**
 * Work that costs one round, as powers of two: 128 characters, 16 entries of a list or map, 2 entries of a
 * list that is made of a map. The longest text thus costs 65,536 rounds. The clock is therefore checked
 * before and after work on such a text, and few such texts fit into the budget and thus into memory.
 */
const charactersShift = 7;
const entriesShift = 4;
const viewShift = 1;

/** A step that may be slow, but usually is not, brings the next check closer by this many free rounds. */
const lookCost = 512;

/**
 * Made once per render. Most renders are small, so the class has few fields. Fields that are rarely needed
 * are in `RenderMemory`, which is made at its first use.
 */
export class RenderState {
  readonly #scope: RenderScope<RenderState>;
  /** Rounds left until the next check of the budgets. Generated loops count it down. */
  rounds = checkEvery;
  /** The part of the count that does not stand for loop rounds. */
  #free = 0;
  #depth = 0;
  #late: RenderMemory | undefined;
  /** New values of the parameters of the function that ended last; its caller takes them at once. */
  rebound: Map<string, unknown> | undefined;

  constructor(scope: RenderScope<RenderState>) {
    this.#scope = scope;
  }

  /** The environment of filters where escaping is on. */
  get escaping(): FilterEnv {
    return this.#scope.escaping;
  }

  /** The environment of filters where escaping is off. */
  get plain(): FilterEnv {
    return this.#scope.plain;
  }

  /** The host for a template function. Functions may be slow, so the time limit must run from now on. */
  get host(): unknown {
    this.checkTime();
    return this.#scope.host;
  }

  /** What blocks in trees are; undefined without a host that says so. */
  get blocks(): BlockSource | undefined {
    return this.#scope.blocks;
  }

  /** The words of the page; undefined without a host that has some. */
  get regions(): RegionSource | undefined {
    return this.#scope.regions;
  }

  get links(): RenderLinks<RenderState> {
    return this.#scope.links;
  }

  /** Begins a template or macro. A call costs a round, so that trees of includes are bounded too. */
  enter(snippet: string | null): void {
    if (++this.#depth > renderLimits.depth) throw tooDeep();
    if (--this.rounds < 0) this.spend(0);
    if (snippet !== null && this.#scope.onSnippet !== undefined) this.#scope.onSnippet(snippet);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Tells the caller that a cycle gave a parameter another value. */
  rebind(name: string, value: unknown): void {
    this.rebound ??= new Map();
    this.rebound.set(name, value);
  }

  /** The value of a variable after a call that it was passed to. */
  reboundOr(name: string, value: unknown): unknown {
    return this.rebound?.has(name) ? this.rebound.get(name) : value;
  }

  use(snippet: string): void {
    this.#scope.onSnippet?.(snippet);
  }

  /** As `rebind`, for a variable in the render context. */
  rebindIn(context: object, name: string, value: unknown): void {
    rebindIn(context, name, value);
  }

  /** Tells the caller the changed values of a context that was made for the layout. */
  propagateRebinds(context: object): void {
    propagateRebinds(this, context);
  }

  /** Tells the host which templates a computed name may lead to. `named` is called only if it listens. */
  reach(named: () => ReadonlySet<string>): void {
    this.#scope.onReach?.(named());
  }

  /** Charges for work that grows with the value, or for the memory of a kept value. Returns the value. */
  charge(value: unknown): unknown {
    return typeof value === 'number' ? value : this.chargeOther(value);
  }

  private chargeOther(value: unknown): unknown {
    if (typeof value === 'string') {
      if (value.length > chargeFrom) this.chargeText(value.length);
    } else if (typeof value === 'object' && value !== null) this.chargeObject(value);
    return value;
  }

  /** Charges for the work of a lookup, which may make a list of a map. Returns the value. */
  chargeView(value: unknown): unknown {
    this.settle();
    if (Array.isArray(value) && value.length > chargeFrom) this.work(value.length >> viewShift);
    return value;
  }

  /** Charges one step of a loop in a helper, which is not a loop of the template. */
  step(): void {
    this.work(1);
  }

  /** Called before a step that may be slow. Every few calls check the time limit. */
  checkTimeLimit(): void {
    this.#free += lookCost;
    this.work(lookCost);
  }

  /** Counts a template or variant that was linked, and perhaps compiled, for a call of this render. */
  linked(): void {
    const late = this.lateState();
    late.linked += 1;
    if (late.linked > renderLimits.linked) {
      const limit = renderLimits.linked.toLocaleString('en');
      throw new TemplateFault(`more than ${limit} templates, or sets of variables they are included with`);
    }
    this.checkTime();
  }

  private chargeObject(value: object): void {
    this.settle();
    if (value instanceof SafeString) this.charge(value.value);
    else {
      const size = sizeOf(value);
      if (size > chargeFrom) this.work(size >> entriesShift);
    }
  }

  private chargeText(length: number): void {
    this.settle();
    this.work(length >> charactersShift);
  }

  private settle(): void {
    const units = takeChargedWork();
    if (units > chargeFrom) this.work(units >> charactersShift);
  }

  private work(rounds: number): void {
    this.rounds -= rounds;
    if (this.rounds < 0) this.spend(0);
  }

  /** Checks the budgets. @param length of the output that the calling function has made so far */
  spend(length: number): void {
    const late = this.lateState();
    late.roundsSpent += checkEvery - 1 - this.rounds - this.#free + (takeChargedWork() >> charactersShift);
    this.rounds = checkEvery - 1;
    this.#free = 0;
    if (late.roundsSpent > renderLimits.rounds)
      throw new TemplateFault(`more than ${renderLimits.rounds.toLocaleString('en')} loop rounds`);
    checkOutput(length);
    this.checkTime();
  }

  private checkTime(): void {
    if (performance.now() > this.lateState().deadlineMs)
      throw new TemplateFault(`rendering took more than ${renderLimits.timeMs / 1000} s`);
  }

  /** The values that `ifchanged` remembers outside of all loops. */
  get memory(): LoopMemory {
    return this.lateState().memory;
  }

  /** Returns the position of a cycle and moves the cycle to its next position. */
  cycle(key: object, count: number): number {
    return this.lateState().cycle(key, count);
  }

  resetCycle(key: object): void {
    this.#late?.cycles.delete(key);
  }

  /**
   * Resets the cycles and remembered values of a template when it begins, because the template may be
   * included a second time or include itself. Returns the state before the reset, for `resume`.
   */
  suspend(keys: readonly object[]): Suspended {
    const late = this.#late;
    if (late === undefined) return [];
    this.rounds -= keys.length >> 3;
    if (this.rounds < 0) this.spend(0);
    return late.suspend(keys);
  }

  /** Restores the state before `suspend`. */
  resume(keys: readonly object[], suspended: Suspended): void {
    this.#late?.resume(keys, suspended);
  }

  /** Called by an include tag, directly before the call of the other template. */
  enterTag(parent: Instance | undefined, tag: object): void {
    const late = this.lateState();
    late.entered = (parent ?? late.instances).child(tag);
  }

  /** Called directly before a layout: as in Django, each of its renders is another instance. */
  enterLayout(): void {
    this.enterTag(undefined, {});
  }

  /** Notes the instance in which a template runs, for its blocks. Returns the one around, if it runs already. */
  beginInstance(template: object, instance: Instance | undefined): Instance | undefined {
    const { running } = this.lateState();
    const around = running.get(template);
    running.set(template, instance);
    return around;
  }

  endInstance(template: object, around: Instance | undefined): void {
    this.lateState().running.set(template, around);
  }

  /** The instance in which a template runs. A block belongs to the template that defines it. */
  instanceOf(template: object): Instance | undefined {
    return this.#late?.running.get(template);
  }

  /** The instance in which a template begins; undefined if its caller named none. */
  takeInstance(): Instance | undefined {
    const entered = this.#late?.entered;
    if (this.#late !== undefined) this.#late.entered = undefined;
    return entered;
  }

  /** Counts a key that an instance stores. Returns the number so far. */
  countInstance(): number {
    const late = this.lateState();
    late.instanceKeys += 1;
    return late.instanceKeys;
  }

  private lateState(): RenderMemory {
    this.#late ??= new RenderMemory(findStartMs(this.#scope.host) ?? performance.now());
    return this.#late;
  }

  /** `{% now format %}`. */
  now(format: unknown): unknown {
    const date = filters.get('date');
    if (date === undefined) throw new Error('The date filter is missing');
    const env = this.escaping;
    const isWithinDay = typeof format !== 'string' || showsTime(format, env);
    return date.apply(env.now(isWithinDay ? 'moment' : 'day'), env, format);
  }
}

function sizeOf(collection: object): number {
  if (Array.isArray(collection)) return collection.length;
  let count = 0;
  for (const _ in collection) count += 1;
  return count;
}
