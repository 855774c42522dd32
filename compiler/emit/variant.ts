/** What the linker and the emitters both know of a unit: how it is called, what it calls, where its blocks go. */
import type { ListedSlot } from '../facts.ts';

/**
 * A variant of a template: one way to call it. One unit of generated code exists per variant that is in use.
 * `names` are passed as arguments, in this order.
 */
export interface Variant {
  readonly names: readonly string[];
  readonly autoescape: boolean;
  /** Included with `only`: variables that are neither passed nor global are hidden. */
  readonly isolated: boolean;
  /** Emit async functions, because the template or one it reaches may call an asynchronous function. */
  readonly async: boolean;
  /** Whether `slots` is a list, in the order of `Facts.listedSlots`. */
  readonly takesList?: true;
}

/**
 * An outlet: a place where a block is output, by its tag or by `{{ block.super }}`. The block gets the
 * variables visible there (`names`).
 */
export interface BlockOutlet {
  readonly block: string;
  readonly names: readonly string[];
  readonly autoescape: boolean;
  /** Only `{{ block.super }}` is output here: only layouts above the template need a definition for it. */
  readonly superOnly?: true;
}

/** Code of another template that a unit calls. The linker makes one cell per reference, in this order. */
export type Reference =
  | { readonly kind: 'body'; readonly template: string; readonly variant: Variant }
  | { readonly kind: 'macro'; readonly template: string; readonly macro: string; readonly async: boolean };

/** Questions that emit may ask about other templates. The answers are part of the cache key of the unit. */
export interface TemplateLookup {
  /**
   * Names that a template, or a template it includes, may read from the caller; `all` if they cannot be
   * known; undefined if there is no such template.
   */
  reads(template: string): ReadonlySet<string> | 'all' | undefined;
  /** Names to which cycles of a template, or of one that it includes, may give another value in the caller. */
  rebinds(template: string): ReadonlySet<string> | 'all';
  /** Whether every render of a template outputs text that is more than white space. */
  showsText(template: string): boolean;
  /** The slots of a template that are given in a list; empty if they cannot be. */
  listedSlots(template: string): readonly ListedSlot[];
  /** Parameter names of a macro, undefined if there is none of that name. */
  macroParams(template: string, macro: string): readonly string[] | undefined;
}

/** Key of an outlet. A block is written as one function per key, with the variables as parameters. */
export function outletKey({ block, autoescape, names }: BlockOutlet): string {
  return JSON.stringify([block, autoescape, ...names]);
}

/** Adds an outlet. If a tag outputs a block at one of two outlets with equal keys, the tag counts. */
export function addOutlet(outlets: Map<string, BlockOutlet>, outlet: BlockOutlet): string {
  const key = outletKey(outlet);
  if (outlets.get(key)?.superOnly !== undefined || !outlets.has(key)) outlets.set(key, outlet);
  return key;
}

/** Key of a variant of a template, together with the outlets that its blocks are written for. */
export function variantKey(
  { names, autoescape, isolated, async, takesList }: Variant,
  outlets: readonly BlockOutlet[],
): string {
  const flags = flagKeys[(autoescape ? 1 : 0) + (isolated ? 2 : 0) + (async ? 4 : 0)] ?? '';
  if (takesList) return `${flags}l${JSON.stringify([names, outlets])}`;
  return names.length === 0 && outlets.length === 0 ? flags : flags + JSON.stringify([names, outlets]);
}

/** One text for each combination of flags. The many variants without names share these texts. */
const flagKeys = ['-', 'e', 'i', 'ei', 'a', 'ea', 'ia', 'eia'];
