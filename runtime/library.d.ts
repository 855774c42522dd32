/** The types of `incipit/engine`: the template engine alone. A test compares them with the engine. */

export interface LibraryOptions {
  /** Source of a named template, undefined if there is none. */
  load(name: string): string | undefined;
  /** Whether output is escaped unless the template says otherwise. Default true. */
  readonly autoescape?: boolean;
  /** IANA zone in which times are shown. Default: the process's own. */
  readonly timeZone?: string;
  /** The clock. Default: the system's. */
  now?(): Date;
  /** Language tag for names of months and the like. Default `en`. */
  readonly lang?: string;
  /** Variables that stay visible inside `{% include ... only %}`. Default: none. */
  readonly globals?: readonly string[];
  /** Folder in which compiled code is kept over restarts. Default: not kept. */
  readonly cacheDir?: string | undefined;
}

/** The output. Without functions of the host it is always a text. */
export type LibraryOutput = string | Promise<string>;

/** Renders one template. */
export type LibraryTemplate = (context: Readonly<Record<string, unknown>>) => LibraryOutput;

export declare class Engine {
  constructor(options: LibraryOptions);
  /** @throws TemplateError */
  render(name: string, context: Readonly<Record<string, unknown>>): LibraryOutput;
  /** The same for a template that is rendered often. @throws TemplateError */
  template(name: string): LibraryTemplate;
  /** Forgets all sources; the next render asks `load` again. */
  invalidate(): void;
}

/** A mistake in a template; lines and columns count from 1. */
export interface TemplateError extends Error {
  readonly template: string;
  readonly line: number;
  readonly column: number;
  /** What is wrong, without the position. */
  readonly reason: string;
}
export declare const TemplateError: {
  readonly prototype: TemplateError;
  new (...args: never): TemplateError;
};

/** HTML that is printed as it is. */
export interface SafeHtml {
  toString(): string;
}

/** Marks HTML that is not to be escaped when printed. */
export declare function safe(html: string): SafeHtml;
