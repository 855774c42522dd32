import type { Context, Templates } from '../shared.ts';

/** A hostile template with its expected outcome. */
export interface Attack {
  readonly template: string;
  /** Other templates that it may name. */
  readonly templates?: Templates;
  readonly context?: Context;
  /** The output, or `error: ` with place and reason. The hostile template has the name `page`. */
  readonly outcome: string;
}

export type Attacks = Readonly<Record<string, Attack>>;

export const thousand: readonly number[] = Array.from({ length: 1_000 }, (_, index) => index);
export const megabyte = 'x'.repeat(1_000_000);
