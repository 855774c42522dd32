/**
 * The template engine. It is usable on its own, and the render pool uses it.
 *
 *     const engine = new Engine({ load: (name) => templates.get(name) });
 *     engine.render('hello', { name: 'World' });
 *     const hello = engine.template('hello'); // to render it often
 *     hello({ name: 'World' });
 */

import {
  type CacheKeeping,
  type CompileCounts,
  type CompilerOptions,
  type ContentLookup,
  compileTemplate,
  DiskCache,
  type Facts,
  type Finding,
  findRegionNames,
  Linker,
  type LoadedTemplate,
  type PageRegion,
} from '../compiler/index.ts';
import { TemplateError } from '../grammar/errors.ts';
import { checkOutput, renderLimits } from './engine/budgets.ts';
import { copyContext } from './engine/context.ts';
import { renamed, templateError } from './engine/errors.ts';
import { EngineEnv } from './engine/filter-env.ts';
import { createHelpers } from './engine/helpers.ts';
import { LinkerLinks } from './engine/links.ts';
import { markedFilters, markedFunctions, markedHelpers } from './engine/marked.ts';
import { type FilterEnvs, type RenderHost, type RenderLinks, RenderScope } from './engine/scope.ts';
import { RenderState } from './engine/state.ts';
import type { TemplateFunction } from './engine/template-function.ts';
import { filters } from './filters/index.ts';
import { takeChargedWork } from './values/effort.ts';
import { SafeString } from './values/safe.ts';

export {
  type ContentLookup,
  type Finding,
  type FindingLevel,
  findingLevels,
  type PageRegion,
  type SystemObjects,
  type TemplateCode,
} from '../compiler/index.ts';
export { TemplateError } from '../grammar/errors.ts';
export type { RenderHost } from './engine/scope.ts';
export type { TemplateFunction } from './engine/template-function.ts';

export interface EngineOptions {
  /** Source of a named template, undefined if there is none. */
  load(name: string): string | undefined;
  /** Whether output is escaped unless the template says otherwise. Default true. */
  readonly autoescape?: boolean;
  /** IANA zone in which times are shown. Default: the process's own. */
  readonly timeZone?: string;
  /**
   * The clock. Default: the system's.
   * @param precision how exactly the output shows the time: `day` if it stays the same until midnight
   */
  now?(precision: 'day' | 'moment'): Date;
  /** Language tag for names of months and the like, unless the host of a render has its own. Default `en`. */
  readonly lang?: string;
  /** Functions that templates can call. Default: none. */
  readonly functions?: ReadonlyMap<string, TemplateFunction>;
  /** Variables that stay visible inside `{% include ... only %}`. Default: none. */
  readonly globals?: readonly string[];
  /** Whether values may have marks around them, as in previews of blocks. Default false. */
  readonly marked?: boolean;
  /** Folder in which compiled code is kept over restarts. Default: not kept. */
  readonly cacheDir?: string | undefined;
  /** Which templates have code in that folder. Default: all. */
  readonly cacheKeeping?: CacheKeeping;
}

/** Renders one template; see `Engine.render`. */
export type RenderTemplate = (
  context: Readonly<Record<string, unknown>>,
  host?: RenderHost,
) => string | Promise<string>;

export interface Inspection {
  /** Errors that keep the template from being rendered, in order of position, at most 100. */
  readonly mistakes: readonly TemplateError[];
  /** Names that do not exist, and values for which escaping is not enough; empty if there are mistakes. */
  readonly findings: readonly Finding[];
  /** Undefined if the template does not parse. */
  readonly description: Description | undefined;
}

export interface Description {
  readonly facts: Facts;
  /** Whether the template, its layouts and includes output the block tree; overridden blocks count. */
  readonly rendersBlocks: boolean;
  /** Its regions, if it is the text of a page. */
  readonly regions: readonly PageRegion[];
  readonly async: boolean;
}

/** Memory for sources and code of unnamed templates, bytes. */
const memoryBytes = 64 * 1024 * 1024;

const noFunctions: ReadonlyMap<string, TemplateFunction> = new Map();
const noGlobals: ReadonlySet<string> = new Set();

/** Most languages whose environments are kept. A render in a further language makes its own. */
const maxLanguages = 100;

// The place of an error is read from the stack trace, and filters may throw from deep inside a value.
Error.stackTraceLimit = Math.max(Error.stackTraceLimit, 400);

/** Marks HTML that is not to be escaped when printed. */
export function safe(html: string): SafeString {
  return new SafeString(html);
}

/** Renders templates and reports errors in them. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #compilerOptions: CompilerOptions;
  readonly #linker: Linker;
  readonly #links: RenderLinks<RenderState>;
  readonly #envs = new Map<string, FilterEnvs>();
  readonly #ownEnvs: FilterEnvs;
  readonly #scopeWithoutHost: RenderScope<RenderState>;

  constructor(options: EngineOptions) {
    this.#options = options;
    const functions = options.functions ?? noFunctions;
    const isMarked = options.marked ?? false;
    const given = {
      filters: isMarked ? markedFilters(filters) : filters,
      functions: isMarked ? markedFunctions(functions) : functions,
      globals: options.globals === undefined ? noGlobals : new Set(options.globals),
    };
    const helpers = createHelpers(given);
    this.#compilerOptions = {
      ...given,
      maxOutputLength: renderLimits.outputLength,
    };
    this.#linker = new Linker({
      ...this.#compilerOptions,
      load: (name) => options.load(name),
      disk:
        options.cacheDir === undefined ? undefined : new DiskCache(options.cacheDir, options.cacheKeeping),
      autoescape: options.autoescape ?? true,
      onLink: (state) => {
        if (state instanceof RenderState) state.linked();
      },
      helpers: isMarked ? markedHelpers(helpers) : helpers,
      maxBytes: memoryBytes,
    });
    this.#links = new LinkerLinks(this.#linker);
    this.#ownEnvs = this.#envsOf(options.lang ?? 'en');
    this.#scopeWithoutHost = new RenderScope(this.#ownEnvs, this.#links, undefined);
  }

  /**
   * Renders a named template. Gives a promise only if the template reaches something asynchronous.
   *
   * @throws TemplateError
   */
  render(
    name: string,
    context: Readonly<Record<string, unknown>>,
    host?: RenderHost,
  ): string | Promise<string> {
    return this.#run(this.#named(name), name, context, host);
  }

  /**
   * The function that renders a named template: what is rendered often need not be looked up by name each time. It
   * renders the source that the name has by then, as `render` does, and throws what `render` throws.
   */
  template(name: string): RenderTemplate {
    const linker = this.#linker;
    let generation = -1;
    let loaded: LoadedTemplate | undefined;
    return (context, host) => {
      if (loaded === undefined || generation !== linker.generation) {
        loaded = this.#named(name);
        generation = linker.generation;
      }
      return this.#run(loaded, name, context, host);
    };
  }

  /**
   * Renders a text that other templates cannot name, such as a page.
   *
   * @param name of the text, for errors
   * @throws TemplateError
   */
  renderSource(
    source: string,
    name: string,
    context: Readonly<Record<string, unknown>>,
    host?: RenderHost,
  ): string | Promise<string> {
    return this.#run(this.#linker.source(source, name), name, context, host);
  }

  /** Whether the code of a text is in memory, because `renderSource` has rendered it. */
  keepsSource(source: string): boolean {
    return this.#linker.keepsSource(source);
  }

  /** Drops what `renderSource` has kept of a text that will hardly be rendered again. */
  forgetSource(source: string): void {
    this.#linker.forget(source);
  }

  /**
   * Checks and describes a text without rendering it.
   * @param world which snippets, assets and fields exist. Default: the snippets that the engine can load
   */
  inspect(source: string, name: string, world: ContentLookup = this.#ownWorld()): Inspection {
    try {
      return withinStack(name, () => {
        const text = { source, name, named: false };
        const compiled = compileTemplate(text, this.#compilerOptions, world, this.#linker);
        const { facts, mistakes, findings } = compiled;
        return { mistakes, findings, description: { facts, regions: compiled.regions, ...compiled.reach } };
      });
    } catch (error) {
      if (error instanceof TemplateError) return { mistakes: [error], findings: [], description: undefined };
      throw error;
    }
  }

  /** Names of the regions that a page with this text has; none if it does not parse. */
  regionNames(source: string, name: string): readonly string[] {
    try {
      return withinStack(name, () => findRegionNames({ source, name }, this.#linker));
    } catch (error) {
      if (error instanceof TemplateError) return [];
      throw error;
    }
  }

  /** Checks whether the source of any named template has changed. */
  invalidate(): void {
    this.#linker.refresh();
  }

  /** How many templates were parsed, emitted as code, and taken from the disk cache. */
  get counts(): CompileCounts {
    return this.#linker.counts;
  }

  #named(name: string): LoadedTemplate {
    const loaded = this.#linker.named(name);
    if (loaded !== undefined) return loaded;
    throw new TemplateError(`there is no template "${name}"`, { template: name, line: 1, column: 1 });
  }

  #run(
    loaded: LoadedTemplate,
    name: string,
    context: Readonly<Record<string, unknown>>,
    host: RenderHost | undefined,
  ): string | Promise<string> {
    // A render is not charged for work that was noted before it.
    takeChargedWork();
    try {
      host?.onReach?.(this.#linker.reached(loaded));
      const linked = this.#linker.root(loaded);
      const state = new RenderState(host === undefined ? this.#scopeWithoutHost : this.#scopeOf(host));
      // The caller keeps its own variables.
      const variables = loaded.changesContext ? copyContext(context) : context;
      const output = linked.run(state, variables, linked.table);
      return typeof output === 'string' ? finished(output) : this.#finishedLater(output, name);
    } catch (error) {
      throw renamed(templateError(error, this.#linker, name), loaded, name);
    }
  }

  // Functions that see variables of a method make V8 keep these in an object, so they have methods of their own.

  #finishedLater(output: Promise<string>, name: string): Promise<string> {
    return output.then(finished).catch((error: unknown) => {
      throw templateError(error, this.#linker, name);
    });
  }

  #scopeOf(host: RenderHost): RenderScope<RenderState> {
    const { lang, timeZone } = host;
    const isOwn = lang === undefined && timeZone === undefined;
    const envs = isOwn ? this.#ownEnvs : this.#envsOf(lang ?? this.#options.lang ?? 'en', timeZone);
    return new RenderScope(envs, this.#links, host);
  }

  #envsOf(lang: string, timeZone?: string): FilterEnvs {
    const key = timeZone === undefined ? lang : `${lang} ${timeZone}`;
    const known = this.#envs.get(key);
    if (known !== undefined) return known;
    const options = timeZone === undefined ? this.#options : { ...this.#options, timeZone };
    const made = { escaping: new EngineEnv(options, lang, true), plain: new EngineEnv(options, lang, false) };
    if (this.#envs.size < maxLanguages) this.#envs.set(key, made);
    return made;
  }

  #ownWorld(): ContentLookup {
    return { hasSnippet: (snippet) => this.#options.load(snippet) !== undefined };
  }
}

/** The compiler recurses once per level of a tree, so a stack overflow means that the nesting is too deep. */
function withinStack<Result>(name: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const place = { template: name, line: 1, column: 1 };
    throw new TemplateError('the template is nested too deeply', place, { cause: error });
  }
}

function finished(output: string): string {
  checkOutput(output.length);
  return output;
}
