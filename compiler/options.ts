/** What the compiler knows of the world it compiles for. The runtime fills this in; the compiler imports none of it. */
export interface CompilerOptions {
  readonly filters: ReadonlyMap<string, FilterSignature>;
  readonly functions: ReadonlyMap<string, FunctionSignature>;
  /** Variables that stay visible inside `{% include ... only %}`: those of the system, not of a template. */
  readonly globals: ReadonlySet<string>;
  /** Output of one function, in UTF-16 units, past which a loop stops to look at the budgets. */
  readonly maxOutputLength: number;
}

export interface FilterSignature {
  /** Fewest and most arguments after the value. */
  readonly args: readonly [number, number];
  /** What is known of every result; decides at compile time whether it must be escaped. */
  readonly returns?: 'safe' | 'number' | 'boolean';
}

export interface FunctionSignature {
  /** True if a call may return a promise; a template that may reach such a call is compiled to async functions. */
  readonly async?: boolean;
}
