/** What one render carries through all compiled functions: budgets, host, environment. */
import type { BlockTable, CompiledFunction } from '../../compiler/units.ts';
import type { FilterEnv } from '../filter.ts';
import { filters } from '../filters/index.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { TemplateFault } from './faults.ts';
import { get } from './lookup.ts';

/** Open points 2: a render stops with an error past any of these. */
export const limits = {
  /** Rounds of all loops together. */
  rounds: 1_000_000,
  /** Include, component and macro nesting; a page is level 1. */
  depth: 50,
  /** UTF-16 units of output. */
  outputLength: 20 * 1024 * 1024,
  timeMs: 10_000,
} as const;

/** After how many rounds or calls the clock and the output are looked at. */
const checkEvery = 2_048;

/** Characters or entries below which handing a value to a filter costs nothing. */
const chargeFrom = 1_024;

/** Whoever renders: told which snippets run, handed to template functions. */
export interface RenderHost {
  /** Called for each snippet executed: include, component, extends; macro snippets on import. */
  onSnippet?(name: string): void;
  /** Language tag for names of months and the like. Default `en`. */
  readonly lang?: string;
}

/** How deeper calls reach the linker; set by the engine. */
export interface RenderLinks {
  renderNamed(
    state: RenderState,
    context: unknown,
    name: unknown,
    from: unknown,
    variant: unknown,
  ): string | Promise<string>;
  renderBlocks(
    state: RenderState,
    context: object,
    tree: unknown,
    self: unknown,
    variant: unknown,
  ): string | Promise<string>;
  extendNamed(
    state: RenderState,
    context: unknown,
    table: BlockTable,
    self: unknown,
    name: unknown,
    variant: unknown,
  ): string | Promise<string>;
  macroNamed(state: RenderState, name: unknown, macro: string, from: unknown, async: boolean): MacroCall;
}

export type MacroCall = (
  state: RenderState,
  context: unknown,
  args: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
) => string | Promise<string>;

/** The same environment with escaping on and off; shared by all renders of one language. */
export interface FilterEnvs {
  readonly escaping: FilterEnv;
  readonly plain: FilterEnv;
}

/** Last values seen by each `{% ifchanged %}` of a loop. */
export type LoopMemory = Map<object, readonly unknown[]>;

/**
 * Made once per render, and most renders are small: few fields, and what is seldom needed is made when it is.
 */
export class RenderState {
  readonly host: unknown;
  /** Rounds left until the next look at the budgets; generated loops count it down. */
  rounds = checkEvery;
  #depth = 0;
  readonly #envs: FilterEnvs;
  readonly #links: RenderLinks;
  readonly #onSnippet: ((name: string) => void) | undefined;
  #late: LateState | undefined;

  constructor(host: unknown, envs: FilterEnvs, links: RenderLinks) {
    this.host = host;
    this.#envs = envs;
    this.#links = links;
    this.#onSnippet = host === undefined ? undefined : snippetListener(host);
  }

  /** What filters see where escaping is on. */
  get escaping(): FilterEnv {
    return this.#envs.escaping;
  }

  /** What filters see where escaping is off. */
  get plain(): FilterEnv {
    return this.#envs.plain;
  }

  get links(): RenderLinks {
    return this.#links;
  }

  /** Begins a template or macro. A call costs a round, so that trees of includes are bounded too. */
  enter(snippet: string | null): void {
    if (++this.#depth > limits.depth) throw tooDeep();
    if (--this.rounds < 0) this.spend(0);
    if (snippet !== null && this.#onSnippet !== undefined) this.#onSnippet(snippet);
  }

  leave(): void {
    this.#depth -= 1;
  }

  use(snippet: string): void {
    this.#onSnippet?.(snippet);
  }

  /** Charges for work that grows with its input: a round per 1,024 characters or entries. Returns the value. */
  charge(value: unknown): unknown {
    const size = sizeOf(value);
    if (size > chargeFrom) {
      this.rounds -= size >> 10;
      if (this.rounds < 0) this.spend(0);
    }
    return value;
  }

  /** Looks at the budgets. @param length of the output so far, where the caller stands */
  spend(length: number): void {
    const late = this.#lateState();
    late.roundsSpent += checkEvery - 1 - this.rounds;
    this.rounds = checkEvery - 1;
    if (late.roundsSpent > limits.rounds)
      throw new TemplateFault(`more than ${limits.rounds.toLocaleString('en')} loop rounds`);
    checkOutput(length);
    const nowMs = performance.now();
    late.deadline ??= nowMs + limits.timeMs;
    if (nowMs > late.deadline) throw new TemplateFault(`rendering took more than ${limits.timeMs / 1000} s`);
  }

  /** What `ifchanged` remembers outside of every loop. */
  get memory(): LoopMemory {
    return this.#lateState().memory;
  }

  /** The position of a cycle, which then moves on. */
  cycle(key: object, count: number): number {
    const { cycles } = this.#lateState();
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

  #lateState(): LateState {
    this.#late ??= new LateState();
    return this.#late;
  }

  /** `{% now format %}`. */
  now(format: unknown): unknown {
    const date = filters.get('date');
    if (date === undefined) throw new Error('The date filter is missing');
    return date.apply(this.escaping.now(), this.escaping, format);
  }
}

/** What a render needs only once it has gone on for a while, or uses `cycle` or `ifchanged`. */
class LateState {
  roundsSpent = 0;
  /** Set at the first look at the clock, since most renders end before it. */
  deadline: number | undefined;
  readonly memory: LoopMemory = new Map();
  readonly cycles = new Map<object, number>();
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

function snippetListener(host: unknown): ((name: string) => void) | undefined {
  if (typeof host !== 'object' || host === null || !('onSnippet' in host)) return undefined;
  const { onSnippet } = host;
  return typeof onSnippet === 'function' ? (name) => onSnippet.call(host, name) : undefined;
}

/**
 * Content of a component's slots: rendered when first asked for, in the scope it was written in. The class has no
 * methods, because templates get hold of such objects and could see them.
 */
export class Slots {
  readonly #fills = new Map<string, CompiledFunction>();
  readonly #rendered = new Map<string, string | Promise<string>>();

  static fill(slots: Slots, name: string, content: CompiledFunction): void {
    slots.#fills.set(name, content);
  }

  /** The content, or the empty text if there is none but white space. */
  static content(slots: Slots, name: string): string | Promise<string> {
    const known = slots.#rendered.get(name);
    if (known !== undefined) return known;
    const made = slots.#fills.get(name)?.() ?? '';
    const content = typeof made === 'string' ? unlessBlank(made) : made.then(unlessBlank);
    slots.#rendered.set(name, content);
    return content;
  }
}

function unlessBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}

export function slotContent(state: RenderState, slots: unknown, name: string): string | Promise<string> {
  if (!(slots instanceof Slots)) return '';
  state.enter(null);
  const content = Slots.content(slots, name);
  state.leave();
  return content;
}

/** `slots.name`: whether the slot has content; of a variable that merely is called `slots`, its field. */
export function slotOrField(slots: unknown, name: string): unknown {
  if (!(slots instanceof Slots)) return get(slots, name);
  const content = Slots.content(slots, name);
  return typeof content === 'string' ? content !== '' : content.then((text) => text !== '');
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof SafeString) return value.value.length;
  let count = 0;
  if (typeof value === 'object' && value !== null) for (const _ in value) count += 1;
  return count;
}

/** A text argument of an error or a name, short. */
export function shortText(value: unknown): string {
  return toText(value).slice(0, 100);
}
