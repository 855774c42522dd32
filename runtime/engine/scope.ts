/** What a render is given: by whoever renders, and by the engine. */
import type { BlockTable } from '../../compiler/units.ts';
import type { FilterEnv } from '../filter.ts';
import type { RenderState } from './state.ts';

/** Whoever renders: told which snippets run, handed to template functions. */
export interface RenderHost {
  /** Called for each snippet executed: include, component, extends; macro snippets on import. */
  onSnippet?(name: string): void;
  /** When the whole began of which this render is a part, by `performance.now()`; the time limit counts from there. */
  readonly startedMs?: number;
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

/** What renders have in common: made once for those without a host, else for each of them. */
export class RenderScope {
  readonly host: unknown;
  readonly escaping: FilterEnv;
  readonly plain: FilterEnv;
  readonly links: RenderLinks;
  readonly onSnippet: ((name: string) => void) | undefined;

  constructor({ escaping, plain }: FilterEnvs, links: RenderLinks, host: unknown) {
    this.host = host;
    this.escaping = escaping;
    this.plain = plain;
    this.links = links;
    this.onSnippet = snippetListener(host);
  }
}

/** When the host says that the whole began, ms of `performance.now()`. */
export function startOf(host: unknown): number | undefined {
  if (typeof host !== 'object' || host === null || !('startedMs' in host)) return undefined;
  return typeof host.startedMs === 'number' ? host.startedMs : undefined;
}

function snippetListener(host: unknown): ((name: string) => void) | undefined {
  if (typeof host !== 'object' || host === null || !('onSnippet' in host)) return undefined;
  const { onSnippet } = host;
  return typeof onSnippet === 'function' ? (name) => onSnippet.call(host, name) : undefined;
}
