/** A function that templates can call. */
export interface TemplateFunction {
  /** True if calls may return a promise. */
  readonly async?: boolean;
  /** True if calls with the same arguments have the same value for a whole render. */
  readonly lasting?: boolean;
  /**
   * @param host the host that was passed to `render`
   * @param args positional arguments; a missing variable is null
   * @param named named arguments, a map without prototype
   */
  call(host: unknown, args: readonly unknown[], named: Readonly<Record<string, unknown>>): unknown;
}
