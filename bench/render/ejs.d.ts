/** The part of ejs that is used here; the package brings no types. */
declare module 'ejs' {
  interface Options {
    readonly compileDebug: boolean;
    /** Strict code, and therefore no `with`: data is read from `localsName`. */
    readonly strict: boolean;
    readonly localsName: string;
  }

  const ejs: { compile(source: string, options: Options): (data: object) => string };
  export default ejs;
}
