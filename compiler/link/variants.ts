/** Variants that no tag asks for. */
import type { Variant } from '../emit/variant.ts';

/** The variant of a template that a render begins with, or that macros are imported from. */
export function plainVariant(async: boolean, autoescape = true): Variant {
  return { names: [], autoescape, isolated: false, async };
}

/** Layouts are called without names: names bound by the templates below are in the render context by then. */
export function layoutVariant({ autoescape, async }: Variant): Variant {
  return plainVariant(async, autoescape);
}
