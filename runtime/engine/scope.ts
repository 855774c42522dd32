/** The inputs of a render: the host from the caller, environments and links from the engine. */
import type { BlockTable } from '../../compiler/index.ts';
import type { FilterEnv } from '../filters/filter.ts';
import type { BlockSource } from './block-source.ts';
import type { RegionSource } from './region-source.ts';

/** An object of the caller of a render. It is told which snippets run, and template functions get it. */
export interface RenderHost {
  /** Called for each snippet executed: include, component, extends; macro snippets on import. */
  onSnippet?(name: string): void;
  /**
   * Called with the names of templates that may decide the output: all that a template refers to by name,
   * directly or not, and all that a computed name leads to. They need not exist and may be named repeatedly.
   */
  onReach?(names: ReadonlySet<string>): void;
  /** Start of the work that this render belongs to, by `performance.now()`. The time limit counts from it. */
  readonly startedMs?: number;
  /** Language tag for names of months and the like. Default `en`. */
  readonly lang?: string;
  /** IANA zone in which times are shown. Default: that of the engine. */
  readonly timeZone?: string | undefined;
  /** What blocks in trees are. Default: every snippet is a block type. */
  readonly blocks?: BlockSource;
  /** The words of the page. Default: every region shows its own. */
  readonly regions?: RegionSource;
}

/** Calls from a running render to the linker; set by the engine. `State` is the state of a render. */
export interface RenderLinks<State> {
  renderNamed(
    state: State,
    context: object,
    name: unknown,
    from: unknown,
    variant: unknown,
  ): string | Promise<string>;
  renderBlocks(
    state: State,
    context: object,
    tree: unknown,
    self: unknown,
    variant: unknown,
  ): string | Promise<string>;
  extendNamed(
    state: State,
    context: unknown,
    table: BlockTable,
    self: unknown,
    name: unknown,
    variant: unknown,
  ): string | Promise<string>;
  macroNamed(state: State, name: unknown, macro: string, from: unknown, async: boolean): MacroCall<State>;
}

export type MacroCall<State> = (
  state: State,
  context: unknown,
  args: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
) => string | Promise<string>;

/** The same environment with escaping on and off; shared by all renders of one language. */
export interface FilterEnvs {
  readonly escaping: FilterEnv;
  readonly plain: FilterEnv;
}

/** Values that do not change during a render. All renders without a host share one scope. */
export class RenderScope<State> {
  readonly host: unknown;
  readonly escaping: FilterEnv;
  readonly plain: FilterEnv;
  readonly links: RenderLinks<State>;
  readonly onSnippet: ((name: string) => void) | undefined;
  readonly onReach: ((names: ReadonlySet<string>) => void) | undefined;
  readonly blocks: BlockSource | undefined;
  readonly regions: RegionSource | undefined;

  constructor({ escaping, plain }: FilterEnvs, links: RenderLinks<State>, host: unknown) {
    this.host = host;
    this.escaping = escaping;
    this.plain = plain;
    this.links = links;
    this.onSnippet = listenerOf<string>(host, 'onSnippet');
    this.onReach = listenerOf<ReadonlySet<string>>(host, 'onReach');
    this.blocks = blocksOf(host);
    this.regions = regionsOf(host);
  }
}

/** The `startedMs` of a host; undefined if the host has none. */
export function findStartMs(host: unknown): number | undefined {
  if (typeof host !== 'object' || host === null || !('startedMs' in host)) return undefined;
  return typeof host.startedMs === 'number' ? host.startedMs : undefined;
}

/** The source of blocks of a host. Type boundary: {@link RenderHost} says what it is. */
function blocksOf(host: unknown): BlockSource | undefined {
  if (typeof host !== 'object' || host === null || !('blocks' in host)) return undefined;
  return host.blocks as BlockSource | undefined;
}

/** The words of a host, likewise. */
function regionsOf(host: unknown): RegionSource | undefined {
  if (typeof host !== 'object' || host === null || !('regions' in host)) return undefined;
  return host.regions as RegionSource | undefined;
}

/** A method of the host; undefined if it has none. Type boundary: {@link RenderHost} says what it takes. */
function listenerOf<Told>(host: unknown, name: keyof RenderHost): ((told: Told) => void) | undefined {
  if (typeof host !== 'object' || host === null || !(name in host)) return undefined;
  const listener: unknown = Reflect.get(host, name);
  return typeof listener === 'function' ? (told) => listener.call(host, told) : undefined;
}
