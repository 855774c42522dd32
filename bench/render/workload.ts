/** The template languages that take part, besides the hand-written function. */
export const allLanguages = [
  'incipit',
  'nunjucks',
  'liquidjs',
  'eta',
  'ejs',
  'handlebars',
  'edge',
  'pug',
] as const;

export type Language = (typeof allLanguages)[number];

/** Sources by name; the one called `main` is the page. */
export type Sources = Readonly<Record<string, string>> & { readonly main: string };

/** The data of a page. */
export type Context = Readonly<Record<string, unknown>>;

/** Renders a template. The first call may still compile; later calls do not. */
export type Renderer = (context: Context) => string;

/** Returns the renderer of the template of that name. */
export type TemplateSet = (name: string) => Renderer;

/** One page to render, written in every language and by hand. */
export interface Workload<Data extends Context = Context> {
  readonly name: string;
  /** The content of the page in a few words. */
  readonly about: string;
  readonly context: Data;
  /** Data with one entry of everything: so little that a first render is nearly all compilation. */
  readonly least: Data;
  readonly sources: Readonly<Record<Language, Sources>>;
  /** The reference: the page as a JavaScript function that escapes the same values as the templates. */
  handWritten(context: Data): string;
}

/** The source of that name; throws if there is none. */
export function sourceOf(sources: Sources, name: string): string {
  const source = sources[name];
  if (source === undefined) throw new Error(`there is no template ${name}`);
  return source;
}
