/** The template languages that take part, besides the hand-written function. */
export const LANGUAGES = [
  'incipit',
  'nunjucks',
  'liquidjs',
  'eta',
  'ejs',
  'handlebars',
  'edge',
  'pug',
] as const;

export type Language = (typeof LANGUAGES)[number];

/** Sources by name; the one called `main` is the page. */
export type Sources = Readonly<Record<string, string>> & { readonly main: string };

/** The data of a page. */
export type Context = Readonly<Record<string, unknown>>;

/** Renders a template; everything is compiled at the latest in the first call. */
export type Renderer = (context: Context) => string;

/** The template of that name, ready to render. */
export type Engine = (name: string) => Renderer;

/** One page to render, written in every language and by hand. */
export interface Workload<Data extends Context = Context> {
  readonly name: string;
  /** What it is about, in a few words. */
  readonly about: string;
  readonly context: Data;
  /** Data with one entry of everything: so little to render that a first render is all compilation. */
  readonly least: Data;
  readonly sources: Readonly<Record<Language, Sources>>;
  /** The page as a JavaScript function that escapes what the templates escape: the reference. */
  handWritten(context: Data): string;
}

/** The source of that name; throws if there is none. */
export function sourceOf(sources: Sources, name: string): string {
  const source = sources[name];
  if (source === undefined) throw new Error(`there is no template ${name}`);
  return source;
}
