/** The part of nunjucks that is used here; the package brings no types. */
declare module 'nunjucks' {
  export interface LoadedSource {
    readonly src: string;
    readonly path: string;
    readonly noCache: boolean;
  }

  export interface Template {
    render(context: object): string;
  }

  export class Environment {
    constructor(
      loader: { getSource(name: string): LoadedSource },
      options: { readonly autoescape: boolean; readonly throwOnUndefined?: boolean },
    );
    getTemplate(name: string, eagerCompile: boolean): Template;
  }
}
