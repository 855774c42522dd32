/** State and helpers that the emitters share while one unit is written. */
import type { Call, Expression, For, Node, Template } from '../../grammar/ast.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import type { HelperName } from './helpers.ts';
import type { BlockOutlet, Reference, TemplateLookup, Variant } from './variant.ts';
import { mangle, type Writer } from './writer.ts';

/** The value of a template's name in generated code: a local variable, or the loop of `forloop`. */
export type BoundName = LocalBinding | LoopBinding;

export interface LocalBinding {
  readonly kind: 'local';
  readonly js: string;
  /** Cycles assign the name in this scope: they also change its value in the scope around. */
  readonly changesOuter?: boolean;
  /** Variable that is true once another tag has assigned the name: from then on it belongs to this scope. */
  readonly keptMark?: string | undefined;
  /** A parameter of the function. The caller hears of a value that a cycle gives it (see rebind.ts). */
  readonly isParam?: true;
}

/** `forloop`: its fields are computed from index and length. An object is made only if one is needed. */
export interface LoopBinding {
  readonly kind: 'loop';
  readonly index: string;
  readonly length: string;
  /** Variable that keeps the memory of `ifchanged` during one run of the loop. */
  readonly memory: string;
  /** Variables with the last value of each `ifchanged` in the loop itself, by offset of the tag. */
  readonly seen: ReadonlyMap<number, string>;
  /** JavaScript of the surrounding loop's `forloop` value, or `undefined`. */
  parentJs(): string;
  readonly parentLoop: LoopBinding | undefined;
}

export class Scope {
  readonly #outer: Scope | undefined;
  readonly #names = new Map<string, BoundName>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  find(name: string): BoundName | undefined {
    return this.#names.get(name) ?? this.#outer?.find(name);
  }

  /** The bindings of a name, innermost first. */
  findAll(name: string): readonly BoundName[] {
    const own = this.#names.get(name);
    const outer = this.#outer?.findAll(name) ?? [];
    return own === undefined ? outer : [own, ...outer];
  }

  bind(name: string, binding: BoundName): void {
    this.#names.set(name, binding);
  }

  /** All visible names, sorted. */
  visible(): readonly string[] {
    const names = new Set(this.#outer?.visible());
    for (const name of this.#names.keys()) names.add(name);
    return [...names].sort();
  }
}

/**
 * Code of a value, with the kind of the value as far as the compiler knows it:
 * - `any`: unknown; `maybeMissing` if the value can be undefined because a name was not found
 * - `html`: a JavaScript string that is HTML already
 * - `number`, `boolean`; `integer` for a number that prints as JavaScript would print it
 * - `constant`: a string literal of the author, safe when printed, as in Django
 */
export type Value =
  | { readonly kind: 'any'; readonly js: string; readonly maybeMissing: boolean }
  | { readonly kind: 'html' | 'number' | 'integer' | 'boolean'; readonly js: string }
  | { readonly kind: 'constant'; readonly text: string };

/** The value of a missing name. Django: empty string in output, None in `if`, `for` and `firstof`. */
export type Missing = 'empty' | 'none';

export interface EmitContext {
  /** Writes the statements of a body. A field, so that the emitters of tags need not import each other. */
  readonly emitBody: (ctx: EmitContext, nodes: readonly Node[]) => void;
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
  readonly surroundings: TemplateLookup;
  readonly variant: Variant;
  readonly writer: Writer;
  readonly unit: UnitState;
  readonly scope: Scope;
  readonly autoescape: boolean;
  /** Inside a macro names come directly from the render context, even if the variant binds or hides them. */
  readonly inMacro: boolean;
  /** Parameters of the function being written to which cycles give other values: name to JavaScript name. */
  readonly rebound: Map<string, string>;
  /** Name of the block that is being written; `block.super` needs it. */
  readonly superOf: string | undefined;
  /**
   * JavaScript of the flag of the slot content whose body is being written, as long as it is not known whether the
   * content is more than white space: bodies with visible text set it. Undefined where the output is changed before it
   * is shown.
   */
  readonly fill: string | undefined;
  /** JavaScript of the captured body in the filter chain of `{% filter %}`. */
  readonly captured: string | undefined;
}

/** Collected over the whole unit, shared by all contexts derived from the first. */
export interface UnitState {
  /** Helpers that the code takes from the runtime. */
  readonly helpers: Set<HelperName>;
  /** Number of calls written that may return a promise and that the code waits for. */
  waits: number;
  readonly references: Reference[];
  /** JavaScript names of the cells, by reference as JSON. */
  readonly cells: Map<string, string>;
  /** All outlets that the blocks of this template are written for, by key. */
  readonly outlets: Map<string, BlockOutlet>;
  /** The outlets in this template, by key. */
  readonly ownOutlets: Map<string, BlockOutlet>;
  /** Hoisted constants: code to name. */
  readonly constants: Map<string, string>;
  readonly usedNames: Map<string, number>;
  /** Parameters of the macros of this template. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
  readonly imports: Map<string, Imported>;
  /** The cycles declared with `{% cycle ... as name %}`, by name, in document order. */
  readonly cycles: Map<string, CycleState[]>;
  /** Variables with the last position of each cycle, by offset; empty if blocks or macros may reach cycles. */
  readonly localCycles: Map<number, string>;
  /** Offsets of all cycles of the template, ascending. */
  readonly cycleOffsets: number[];
  /** Whether any tag of the template assigns a name; most templates have none. */
  assigns: boolean;
  /** Whether the template has an `ifchanged`. */
  hasIfChanged: boolean;
  /** Whether the body needs to know in which instance of the template it runs. */
  needsInstance: boolean;
  /** JavaScript of the keys under which `cycle` and `ifchanged` keep their memory. */
  readonly memoryKeys: Set<string>;
  /** The calls that each loop keeps (hoist-calls.ts); undefined until the first loop. */
  keptByLoop: ReadonlyMap<For, ReadonlySet<Call>> | undefined;
  /** Variables that keep the values of calls, for the loops that are being written. */
  readonly keptCalls: Map<Call, string>;
}

export interface CycleState {
  readonly id: number;
  readonly values: readonly Expression[];
  readonly as: string;
  readonly silent: boolean;
}

/** An imported macro: its cell, the reason why there is none, or code that finds it while rendering. */
export type Imported =
  | { readonly kind: 'static'; readonly cell: string; readonly params: readonly string[] }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'computed'; readonly js: string };

/** A JavaScript name that the unit does not use yet. It begins with the name in the template. */
export function freshName(ctx: EmitContext, name: string): string {
  const base = mangle(name);
  const count = (ctx.unit.usedNames.get(base) ?? 0) + 1;
  ctx.unit.usedNames.set(base, count);
  return `${base}_${count}`;
}

/** The name of a constant with this code at the head of the unit. */
export function constant(ctx: EmitContext, code: string, name: string): string {
  const known = ctx.unit.constants.get(code);
  if (known !== undefined) return known;
  const made = freshName(ctx, name);
  ctx.unit.constants.set(code, made);
  return made;
}

/**
 * The name of the key under which a tag keeps its memory. All units of a template share it: the body of a
 * layout may run in another unit than its blocks.
 */
export function memoryKey(ctx: EmitContext, tag: 'cycle' | 'changed' | 'include', offset: number): string {
  return constant(ctx, `self.memoryKey("${tag} ${offset}")`, tag);
}

/** The name of the cell through which another template's code is called. */
export function cell(ctx: EmitContext, reference: Reference): string {
  const key = JSON.stringify(reference);
  const known = ctx.unit.cells.get(key);
  if (known !== undefined) return known;
  const code = `cells[${ctx.unit.references.push(reference) - 1}]`;
  const name = constant(ctx, code, reference.kind === 'macro' ? reference.macro : reference.template);
  ctx.unit.cells.set(key, name);
  return name;
}

/** The name of a helper. Records that the unit takes the helper from the runtime. */
export function helper(ctx: EmitContext, name: HelperName): HelperName {
  ctx.unit.helpers.add(name);
  return name;
}

/** Code of a call of a helper. */
export function callHelper(ctx: EmitContext, name: HelperName, ...args: readonly string[]): string {
  return `${helper(ctx, name)}(${listed(args)})`;
}

/** Parameters or arguments. Not `join`, which takes longer than all else here. */
function listed(parts: readonly string[]): string {
  let list = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) list += `, ${parts[index]}`;
  return list;
}

/** Wraps a call that may return a promise. */
export function awaited(ctx: EmitContext, js: string): string {
  if (!ctx.variant.async) return js;
  ctx.unit.waits += 1;
  return `(${callHelper(ctx, 'isPromise', `t = ${js}`)} ? await t : t)`;
}

/** The code of `emit`, and whether it waits for a promise. A function around such code must be async. */
export function waitsFor<Code>(
  ctx: EmitContext,
  emit: () => Code,
): { readonly code: Code; readonly waits: boolean } {
  const before = ctx.unit.waits;
  const code = emit();
  return { code, waits: ctx.unit.waits > before };
}

/** JavaScript of the content of a slot that was given in a list; undefined if it was not. */
export function contentOfSlot(ctx: EmitContext, name: string): string | undefined {
  const slots = ctx.variant.takesList ? ctx.scope.find('slots') : undefined;
  if (slots?.kind !== 'local') return undefined;
  const index = ctx.facts.listedSlots.findIndex((slot) => slot.name === name);
  const given = `${slots.js}[${index}]`;
  if (ctx.facts.listedSlots[index]?.isCertain) return given;
  return `(${contentVariable(index)} ??= ${awaited(ctx, callHelper(ctx, 'givenContent', given))})`;
}

/** The variable that keeps the content of a slot. Two `$` are in no name of a template. */
function contentVariable(index: number): string {
  return `content$$${index}`;
}

/** Declares the variables for content that is asked for where the template reads it. */
export function declareContents({ facts, variant, writer }: EmitContext): void {
  if (!variant.takesList) return;
  const names = facts.listedSlots.flatMap(({ isCertain }, index) =>
    isCertain ? [] : [contentVariable(index)],
  );
  if (names.length > 0) writer.line(`let ${names.join(', ')};`);
}

/** JavaScript of the instance of the template. Macros have one instance only. */
export function emitInstance({ inMacro }: EmitContext): string {
  return inMacro ? 'undefined' : 'instance';
}

/** The head of a function of generated code. */
export function functionHead(ctx: EmitContext, name: string, params: readonly string[]): string {
  return `${ctx.variant.async ? 'async ' : ''}function ${name}(${listed(params)}) {`;
}

/**
 * Head and tail of a function that is called as soon as its unit is linked. JavaScript engines compile a
 * function in parentheses at once. Without parentheses they read it twice: now, and again at the first call.
 *
 * @param place code in front of the function: `return`, or `const name =`
 */
export function eagerFunction(
  ctx: EmitContext,
  place: string,
  params: readonly string[],
): { readonly head: string; readonly tail: string } {
  return { head: `${place} (${functionHead(ctx, '', params)}`, tail: '});' };
}
