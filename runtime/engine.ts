/**
 * The template engine: usable on its own, and what the render pool uses.
 *
 *     const engine = createEngine({ load: (name) => templates.get(name) });
 *     engine.render('hello', { name: 'World' });
 */

import { analyse } from '../compiler/analyse.ts';
import { createDiskCache } from '../compiler/cache.ts';
import { check } from '../compiler/check.ts';
import type { Facts } from '../compiler/facts.ts';
import { type Finding, findProblems, type World } from '../compiler/findings/index.ts';
import { createLinker, type Linker } from '../compiler/link.ts';
import type { Loaded } from '../compiler/loaded.ts';
import type { CompilerOptions } from '../compiler/options.ts';
import { TemplateError } from '../grammar/errors.ts';
import { parse } from '../grammar/parse.ts';
import { takeNoted } from './effort.ts';
import { renamed, templateError } from './engine/errors.ts';
import { createHelpers } from './engine/helpers.ts';
import { createRenderLinks } from './engine/links.ts';
import { type FilterEnvs, type RenderHost, RenderScope } from './engine/scope.ts';
import { checkOutput, limits, RenderState } from './engine/state.ts';
import type { FilterEnv } from './filter.ts';
import { filters } from './filters/index.ts';
import { SafeString } from './safe.ts';

export type { Finding, World } from '../compiler/findings/index.ts';
export { TemplateError } from '../grammar/errors.ts';
export type { RenderHost } from './engine/scope.ts';

export interface EngineOptions {
  /** Source of a named template, undefined if there is none. */
  load(name: string): string | undefined;
  /** Whether output is escaped where a template says nothing else. Default true. */
  readonly autoescape?: boolean;
  /** IANA zone in which times are shown. Default: the process's own. */
  readonly timeZone?: string;
  /** The clock. Default: the system's. */
  now?(): Date;
  /** Language tag for names of months and the like, unless the host of a render has its own. Default `en`. */
  readonly lang?: string;
  /** What templates can call. Default: nothing. */
  readonly functions?: ReadonlyMap<string, TemplateFunction>;
  /** Variables that stay visible inside `{% include ... only %}`. Default: none. */
  readonly globals?: readonly string[];
  /** Folder in which compiled code is kept over restarts. Default: not kept. */
  readonly cacheDir?: string | undefined;
}

export interface TemplateFunction {
  /** True if calls may return a promise. */
  readonly async?: boolean;
  /**
   * @param host what the renderer passed as host
   * @param args positional arguments; a missing variable is null
   * @param named named arguments, a map without prototype
   */
  call(host: unknown, args: readonly unknown[], named: Readonly<Record<string, unknown>>): unknown;
}

export interface Engine {
  /** Renders a named template. Sync unless something it reaches is asynchronous. @throws TemplateError */
  render(
    name: string,
    context: Readonly<Record<string, unknown>>,
    host?: RenderHost,
  ): string | Promise<string>;
  /** Renders a text that has no name for others, such as a page; `name` is how errors call it. @throws TemplateError */
  renderSource(
    source: string,
    name: string,
    context: Readonly<Record<string, unknown>>,
    host?: RenderHost,
  ): string | Promise<string>;
  /**
   * What can be said of a text without rendering it.
   * @param world what there is besides it. Default: the templates that the engine finds
   */
  inspect(source: string, name: string, world?: World): Inspection;
  /** Looks whether any name leads to another source by now. */
  invalidate(): void;
  /** How many templates were parsed, emitted as code, and taken from the disk cache. */
  readonly counts: Linker['counts'];
}

export interface Inspection {
  /** What keeps it from being rendered, first things first, a hundred at most. */
  readonly mistakes: readonly TemplateError[];
  /** What it names that is not there, and values where escaping is not enough; empty if there are mistakes. */
  readonly findings: readonly Finding[];
  /** undefined if it does not parse. */
  readonly description: Description | undefined;
}

export interface Description {
  readonly facts: Facts;
  /** Whether the block tree of the page is output, layouts and includes considered; overridden blocks count. */
  readonly rendersBlocks: boolean;
  readonly async: boolean;
}

/** Memory for sources and code of unnamed templates, bytes. */
const memoryBytes = 64 * 1024 * 1024;

let timeZoneOfProcess: string | undefined;

/** Asked once, and only by templates that show times: the first answer takes Intl 10 ms. */
function ownTimeZone(): string {
  timeZoneOfProcess ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZoneOfProcess;
}

/** Languages whose environments are kept; a render in any other makes its own. */
const maxLanguages = 100;

// Where in a template an error comes from is read from the stack, and filters may throw from deep inside a value.
Error.stackTraceLimit = Math.max(Error.stackTraceLimit, 400);

/** Marks HTML that is not to be escaped when printed. */
export function safe(html: string): SafeString {
  return new SafeString(html);
}

export function createEngine(options: EngineOptions): Engine {
  const compilerOptions: CompilerOptions = {
    filters,
    functions: options.functions ?? new Map<string, TemplateFunction>(),
    globals: new Set(options.globals ?? []),
    maxOutputLength: limits.outputLength,
  };
  const linker = createLinker({
    ...compilerOptions,
    load: (name) => options.load(name),
    disk: options.cacheDir === undefined ? undefined : createDiskCache(options.cacheDir),
    autoescape: options.autoescape ?? true,
    onLink: (state) => {
      if (state instanceof RenderState) state.linked();
    },
    helpers: createHelpers(compilerOptions),
    maxBytes: memoryBytes,
  });
  const links = createRenderLinks(linker);
  const now = () => options.now?.() ?? new Date();
  const envs = new Map<string, FilterEnvs>();

  function envsOf(lang: string): FilterEnvs {
    const known = envs.get(lang);
    if (known !== undefined) return known;
    const made = { escaping: envOf(lang, true), plain: envOf(lang, false) };
    if (envs.size < maxLanguages) envs.set(lang, made);
    return made;
  }

  function envOf(lang: string, autoescape: boolean): FilterEnv {
    return {
      autoescape,
      lang,
      now,
      get timeZone() {
        return options.timeZone ?? ownTimeZone();
      },
    };
  }

  const ownEnvs = envsOf(options.lang ?? 'en');
  const scopeWithoutHost = new RenderScope(ownEnvs, links, undefined);

  function scopeOf(host: RenderHost): RenderScope {
    return new RenderScope(host.lang === undefined ? ownEnvs : envsOf(host.lang), links, host);
  }

  function run(loaded: Loaded, name: string, context: Readonly<Record<string, unknown>>, host?: RenderHost) {
    // A render does not pay for what was done before it.
    takeNoted();
    try {
      const linked = linker.root(loaded);
      const state = new RenderState(host === undefined ? scopeWithoutHost : scopeOf(host));
      const output = linked.run(state, context, linked.table);
      if (typeof output === 'string') return finished(output);
      return output.then(finished).catch((error: unknown) => {
        throw templateError(error, linker, name);
      });
    } catch (error) {
      throw renamed(templateError(error, linker, name), loaded, name);
    }
  }

  /** A layout that cannot be used says so when it is saved itself. */
  function treeOf(name: string) {
    try {
      return linker.named(name)?.checked();
    } catch {
      return undefined;
    }
  }

  return {
    render(name, context, host) {
      const loaded = linker.named(name);
      if (loaded === undefined)
        throw new TemplateError(`there is no template "${name}"`, { template: name, line: 1, column: 1 });
      return run(loaded, name, context, host);
    },
    renderSource: (source, name, context, host) => run(linker.source(source, name), name, context, host),
    inspect(source, name, world = { hasSnippet: (snippet) => options.load(snippet) !== undefined }) {
      try {
        return withinStack(name, () => {
          const template = parse(source, name);
          const facts = analyse(template);
          const mistakes = check(template, facts, compilerOptions);
          const { rendersBlocks, async } = linker.reachOf(facts);
          const surroundings = { ...compilerOptions, treeOf };
          const findings = mistakes.length > 0 ? [] : findProblems(template, facts, world, surroundings);
          return { mistakes, findings, description: { facts, rendersBlocks, async } };
        });
      } catch (error) {
        if (error instanceof TemplateError)
          return { mistakes: [error], findings: [], description: undefined };
        throw error;
      }
    },
    invalidate: () => linker.refresh(),
    counts: linker.counts,
  };
}

/** What goes through a whole tree calls itself once per level; running out of stack is the template's doing. */
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
