/** What one render carries through all compiled functions: budgets, host, environment. */
import { takeNoted } from '../effort.ts';
import type { FilterEnv } from '../filter.ts';
import { filters } from '../filters/index.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { TemplateFault } from './faults.ts';
import { type RenderLinks, type RenderScope, startOf } from './scope.ts';

/** Open points 2: a render stops with an error past any of these. */
export const limits = {
  /** Rounds of all loops together. */
  rounds: 1_000_000,
  /** Include, component and macro nesting; a page is level 1. */
  depth: 50,
  /** UTF-16 units of output. */
  outputLength: 20 * 1024 * 1024,
  timeMs: 10_000,
  /** Templates linked on the way, each anew for every set of variables that it is included with. */
  linked: 5_000,
} as const;

/** After how many rounds or calls the clock and the output are looked at. */
const checkEvery = 2_048;

/** Characters or entries below which handing a value to a filter costs nothing. */
const chargeFrom = 1_024;

/**
 * How many characters make a round, as powers of two, how many entries of a list or map, and how many of a list that is
 * made of a map. So the longest text costs as much as 65,536 rounds: the clock is looked at before and after, and few
 * such texts fit into the budget, which bounds what a render can hold in memory.
 */
const charactersShift = 7;
const entriesShift = 4;
const viewShift = 1;

/** What counts down to the next look besides rounds, where a step may take long but usually does not. */
const lookCost = 512;

/** Last values seen by each `{% ifchanged %}` of a loop. */
export type LoopMemory = Map<object, readonly unknown[]>;

/**
 * Made once per render, and most renders are small: few fields, and what is seldom needed is made when it is.
 */
export class RenderState {
  readonly #scope: RenderScope;
  /** Rounds left until the next look at the budgets; generated loops count it down. */
  rounds = checkEvery;
  /** Of what was counted down, that which is no round. */
  #free = 0;
  #depth = 0;
  #late: LateState | undefined;

  constructor(scope: RenderScope) {
    this.#scope = scope;
  }

  /** What filters see where escaping is on. */
  get escaping(): FilterEnv {
    return this.#scope.escaping;
  }

  /** What filters see where escaping is off. */
  get plain(): FilterEnv {
    return this.#scope.plain;
  }

  /** The host for a template function. Those may take long, so the time runs from the first call at the latest. */
  get host(): unknown {
    this.checkTime();
    return this.#scope.host;
  }

  get links(): RenderLinks {
    return this.#scope.links;
  }

  /** Begins a template or macro. A call costs a round, so that trees of includes are bounded too. */
  enter(snippet: string | null): void {
    if (++this.#depth > limits.depth) throw tooDeep();
    if (--this.rounds < 0) this.spend(0);
    if (snippet !== null && this.#scope.onSnippet !== undefined) this.#scope.onSnippet(snippet);
  }

  leave(): void {
    this.#depth -= 1;
  }

  use(snippet: string): void {
    this.#scope.onSnippet?.(snippet);
  }

  /** Charges for work that grows with its input, and for the memory of what is kept. Returns the value. */
  charge(value: unknown): unknown {
    if (typeof value === 'string') {
      if (value.length > chargeFrom) this.chargeText(value.length);
    } else if (typeof value === 'object' && value !== null) this.chargeObject(value);
    return value;
  }

  /** Charges for what a lookup took, which may make a list of a map. Returns the value. */
  chargeView(value: unknown): unknown {
    this.settle();
    if (Array.isArray(value) && value.length > chargeFrom) this.work(value.length >> viewShift);
    return value;
  }

  /** A step of a loop that is not in the template. */
  step(): void {
    this.work(1);
  }

  /** Sees to it that the clock is looked at before many steps like this one, which may take long, have been made. */
  look(): void {
    this.#free += lookCost;
    this.work(lookCost);
  }

  /** A template or a variant of one was linked, and perhaps compiled, when this render first called it. */
  linked(): void {
    const late = this.lateState();
    late.linked += 1;
    if (late.linked > limits.linked) {
      const limit = limits.linked.toLocaleString('en');
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
    const units = takeNoted();
    if (units > chargeFrom) this.work(units >> charactersShift);
  }

  private work(rounds: number): void {
    this.rounds -= rounds;
    if (this.rounds < 0) this.spend(0);
  }

  /** Looks at the budgets. @param length of the output so far, where the caller stands */
  spend(length: number): void {
    const late = this.lateState();
    late.roundsSpent += checkEvery - 1 - this.rounds - this.#free + (takeNoted() >> charactersShift);
    this.rounds = checkEvery - 1;
    this.#free = 0;
    if (late.roundsSpent > limits.rounds)
      throw new TemplateFault(`more than ${limits.rounds.toLocaleString('en')} loop rounds`);
    checkOutput(length);
    this.checkTime();
  }

  private checkTime(): void {
    if (performance.now() > this.lateState().deadlineMs)
      throw new TemplateFault(`rendering took more than ${limits.timeMs / 1000} s`);
  }

  /** What `ifchanged` remembers outside of every loop. */
  get memory(): LoopMemory {
    return this.lateState().memory;
  }

  /** The position of a cycle, which then moves on. */
  cycle(key: object, count: number): number {
    const { cycles } = this.lateState();
    const position = cycles.get(key) ?? 0;
    cycles.set(key, (position + 1) % count);
    return position;
  }

  resetCycle(key: object): void {
    this.#late?.cycles.delete(key);
  }

  /**
   * Lets a template begin with its cycles at the start and nothing remembered, also where it is included a second
   * time or by itself. Gives what was there before, for `resume`.
   */
  suspend(keys: readonly object[]): Suspended {
    const late = this.#late;
    if (late === undefined) return [];
    this.rounds -= keys.length >> 3;
    if (this.rounds < 0) this.spend(0);
    return keys.map((key) => {
      const before = { position: late.cycles.get(key), values: late.memory.get(key) };
      late.cycles.delete(key);
      late.memory.delete(key);
      return before;
    });
  }

  /** Brings back what was there before `suspend`. */
  resume(keys: readonly object[], suspended: Suspended): void {
    const late = this.#late;
    if (late === undefined) return;
    keys.forEach((key, index) => {
      putBack(late.cycles, key, suspended[index]?.position);
      putBack(late.memory, key, suspended[index]?.values);
    });
  }

  private lateState(): LateState {
    this.#late ??= new LateState(startOf(this.#scope.host) ?? performance.now());
    return this.#late;
  }

  /** `{% now format %}`. */
  now(format: unknown): unknown {
    const date = filters.get('date');
    if (date === undefined) throw new Error('The date filter is missing');
    return date.apply(this.escaping.now(), this.escaping, format);
  }
}

/** What a render needs only once it has gone on for a while, calls a function, or uses `cycle` or `ifchanged`. */
class LateState {
  roundsSpent = 0;
  linked = 0;
  readonly deadlineMs: number;
  readonly memory: LoopMemory = new Map();
  readonly cycles = new Map<object, number>();

  constructor(startedMs: number) {
    this.deadlineMs = startedMs + limits.timeMs;
  }
}

/** Where cycles stood and what was remembered, in the order of their keys; empty if there was nothing. */
type Suspended = readonly {
  readonly position: number | undefined;
  readonly values: readonly unknown[] | undefined;
}[];

function putBack<Value>(map: Map<object, Value>, key: object, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** The stack is kept whole, because the engine reads from it which templates call each other. */
function tooDeep(): TemplateFault {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = 4 * limits.depth;
  const fault = new NestingFault(`more than ${limits.depth} levels of include, component and macro`);
  Error.stackTraceLimit = usual;
  return fault;
}

/** Too many levels; the engine adds the chain of templates. */
export class NestingFault extends TemplateFault {}

export function checkOutput(length: number): void {
  if (length > limits.outputLength)
    throw new TemplateFault(`more than ${limits.outputLength / 2 ** 20} MB of output`);
}

function sizeOf(collection: object): number {
  if (Array.isArray(collection)) return collection.length;
  let count = 0;
  for (const _ in collection) count += 1;
  return count;
}

/** A text argument of an error or a name, short. */
export function shortText(value: unknown): string {
  return toText(value).slice(0, 100);
}
