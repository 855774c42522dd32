/** Facts about the runtime. The runtime passes them to the compiler; the compiler does not import it. */
export interface CompilerOptions {
  readonly filters: ReadonlyMap<string, FilterSignature>;
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  /** Variables of the system, not of a template. They stay visible inside `{% include ... only %}`. */
  readonly globals: ReadonlySet<string>;
  /** Output of one function, in UTF-16 units. Above it generated code checks the budgets of the render. */
  readonly maxOutputLength: number;
}

export interface FilterSignature {
  /** Smallest and largest number of arguments, the input not counted. */
  readonly args: readonly [number, number];
  /** The kind of every result. It decides at compile time whether a result must be escaped. */
  readonly returns?: 'safe' | 'number' | 'boolean';
  /** The texts that an argument may be; absent = any value. Only arguments written as literals are checked. */
  readonly choices?: readonly string[];
  /** Whether the runtime has a printer for the filter with constant arguments; present = yes. */
  readonly quick?: unknown;
  /** Whether the filter gives what it prints without escaping, where it is quick, as a plain text. */
  readonly quickText?: boolean;
}

export interface FunctionSignature {
  /** True if a call may return a promise. A template that may reach such a call becomes async functions. */
  readonly async?: boolean;
  /** Whether calls with the same arguments have the same value for a whole render. In a loop one call is enough. */
  readonly lasting?: boolean;
}
