/** What the emitters share while one unit is written. */
import type { Expression, Node, Template } from '../../grammar/ast.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import { mangle, type Writer } from './writer.ts';

/**
 * A variant of a template: how it is called. One unit of generated code exists per variant that is in use.
 * `names` are passed as arguments, in this order.
 */
export interface Variant {
  readonly names: readonly string[];
  readonly autoescape: boolean;
  /** Included with `only`: what is not passed and not global is hidden. */
  readonly isolated: boolean;
  /** Emit async functions, because something in reach may be asynchronous. */
  readonly async: boolean;
}

/** A place where a block is output: which block, and with which of the place's variables it is called. */
export interface Site {
  readonly block: string;
  readonly names: readonly string[];
  readonly autoescape: boolean;
}

/** Another template's code that a unit calls; the linker fills one cell per reference, in this order. */
export type Reference =
  | { readonly kind: 'body'; readonly template: string; readonly variant: Variant }
  | { readonly kind: 'macro'; readonly template: string; readonly macro: string; readonly async: boolean };

/** What emit may ask about other templates. The answers are part of the cache key of the unit. */
export interface Surroundings {
  /**
   * Names that a template may read from its caller, everything below it included; `all` if that cannot be known;
   * undefined if there is no such template.
   */
  reads(template: string): ReadonlySet<string> | 'all' | undefined;
  /** Parameter names of a macro, undefined if there is none of that name. */
  macroParams(template: string, macro: string): readonly string[] | undefined;
}

/** A name of the template as generated code knows it. */
export type Binding = { readonly kind: 'local'; readonly js: string } | LoopBinding;

/** `forloop`: its fields are worked out from the index and the length, an object is made only if one is needed. */
export interface LoopBinding {
  readonly kind: 'loop';
  readonly index: string;
  readonly length: string;
  /** Variable for what `ifchanged` remembers during one run of the loop. */
  readonly memory: string;
  /** JavaScript of the surrounding loop's `forloop` value, or `undefined`. */
  readonly parent: string;
  readonly parentLoop: LoopBinding | undefined;
}

export class Scope {
  readonly #outer: Scope | undefined;
  readonly #names = new Map<string, Binding>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  find(name: string): Binding | undefined {
    return this.#names.get(name) ?? this.#outer?.find(name);
  }

  bind(name: string, binding: Binding): void {
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
 * Code of a value, with what is known of the value:
 * - `any`: nothing; `maybeMissing` if it can be undefined because a name was not found
 * - `html`: a JavaScript string that is HTML already
 * - `number`, `boolean`; `integer` if it prints as JavaScript would print it
 * - `constant`: a string literal of the author, safe when printed as in Django
 */
export type Value =
  | { readonly kind: 'any'; readonly js: string; readonly maybeMissing: boolean }
  | { readonly kind: 'html' | 'number' | 'integer' | 'boolean'; readonly js: string }
  | { readonly kind: 'constant'; readonly text: string };

/** What a missing name counts as: Django uses the empty string in output and None in `if`, `for` and `firstof`. */
export type Missing = 'empty' | 'none';

export interface EmitContext {
  /** Writes the statements of a body; here, so that the emitters of single tags need not know each other. */
  readonly emitBody: (ctx: EmitContext, nodes: readonly Node[]) => void;
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
  readonly surroundings: Surroundings;
  readonly variant: Variant;
  readonly writer: Writer;
  readonly unit: UnitState;
  readonly scope: Scope;
  readonly autoescape: boolean;
  /** Inside a macro names come straight from the render context, whatever the variant binds or hides. */
  readonly inMacro: boolean;
  /** JavaScript of the key of the block being written, for `block.super`. */
  readonly superOf: string | undefined;
  /** JavaScript of the captured body inside a `{% filter %}` chain. */
  readonly captured: string | undefined;
}

/** Collected over the whole unit, shared by all contexts derived from the first. */
export interface UnitState {
  readonly references: Reference[];
  /** Names of their cells, by reference as text. */
  readonly cells: Map<string, string>;
  readonly sites: Map<string, Site>;
  /** Hoisted constants: code to name. */
  readonly constants: Map<string, string>;
  readonly usedNames: Map<string, number>;
  /** Parameters of the macros of this template. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
  readonly imports: Map<string, Imported>;
  /** Name of a `{% cycle ... as name %}` to the constant that holds its values and state. */
  readonly cycles: Map<string, CycleState>;
  /** Where all cycles of the template stand, ascending. */
  readonly cycleOffsets: number[];
  /** JavaScript of the keys under which `cycle` and `ifchanged` remember something. */
  readonly memoryKeys: Set<string>;
}

export interface CycleState {
  readonly id: number;
  readonly values: readonly Expression[];
  readonly as: string;
  readonly silent: boolean;
}

/** What an imported macro name stands for. */
export type Imported =
  | { readonly kind: 'static'; readonly cell: string; readonly params: readonly string[] }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'computed'; readonly js: string };

/** A JavaScript name not used in this unit yet, beginning like the template's name. */
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

/** Key of a block site: blocks of one name called with different variables are different functions. */
export function siteKey({ block, autoescape, names }: Site): string {
  return JSON.stringify([block, autoescape, ...names]);
}

/** Tells the variants of a template apart, and the places its blocks are written for. */
export function variantKey({ names, autoescape, isolated, async }: Variant, sites: readonly Site[]): string {
  const flags = flagKeys[(autoescape ? 1 : 0) + (isolated ? 2 : 0) + (async ? 4 : 0)] ?? '';
  return names.length === 0 && sites.length === 0 ? flags : flags + JSON.stringify([names, sites]);
}

/** One for each combination, so that the many templates without names share them. */
const flagKeys = ['-', 'e', 'i', 'ei', 'a', 'ea', 'ia', 'eia'];

/** Wraps a call that may return a promise. */
export function awaited(ctx: EmitContext, js: string): string {
  return ctx.variant.async ? `(isPromise(t = ${js}) ? await t : t)` : js;
}

/** The head of a function of generated code. */
export function functionHead(ctx: EmitContext, name: string, params: readonly string[]): string {
  return `${ctx.variant.async ? 'async ' : ''}function ${name}(${params.join(', ')}) {`;
}

/**
 * Head and tail of a function that is called as soon as its unit is linked. JavaScript engines take the parentheses
 * for a sign to compile it at once, instead of reading it now and again when it is called.
 */
export function eagerFunction(
  ctx: EmitContext,
  name: string,
  params: readonly string[],
): { readonly head: string; readonly tail: string } {
  return { head: `const ${name} = (${functionHead(ctx, '', params)}`, tail: '});' };
}
