/** The part of nunjucks that is used here; the package brings no types. */
declare module 'nunjucks' {
  interface LoadedSource {
    readonly src: string;
    readonly path: string;
    readonly noCache: boolean;
  }

  interface Template {
    render(context: object): string;
  }

  class Environment {
    constructor(
      loader: { getSource(name: string): LoadedSource },
      options: { readonly autoescape: boolean; readonly throwOnUndefined?: boolean },
    );
    addFilter(name: string, filter: (...args: never[]) => unknown): void;
    addGlobal(name: string, value: unknown): void;
    getTemplate(name: string, eagerCompile: boolean): Template;
  }

  const nunjucks: {
    readonly Environment: typeof Environment;
    readonly runtime: { readonly SafeString: new (html: string) => object };
  };
  export default nunjucks;
}
