/** The part of pug that is used here; the package brings no types. */
declare module 'pug' {
  interface Options {
    readonly filename: string;
    /** Whether locals are read from `self` instead of by `with`. */
    readonly self: boolean;
    readonly compileDebug: boolean;
    readonly plugins: readonly {
      resolve(name: string): string;
      read(name: string): string;
    }[];
  }

  const pug: { compile(source: string, options: Options): (locals: object) => string };
  export default pug;
}
