/**
 * The syntax tree of a template. Invariants:
 * - Every node has `start` (inclusive) and `end` (exclusive), offsets in UTF-16 units into the source.
 * - A tree is read-only after parsing, so it can be cached and shared.
 * - Comments and `{% load %}` leave no node; `{% verbatim %}` leaves `Text`.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

// ---------------------------------------------------------------------------------------- expressions

export type Expression =
  | Literal
  | ListLiteral
  | MapLiteral
  | Name
  | Member
  | Index
  | Call
  | Filter
  | Unary
  | Binary
  | Logical
  | Conditional
  | Captured;

export interface Literal extends Span {
  readonly type: 'Literal';
  readonly value: string | number | boolean | null;
}

export interface ListLiteral extends Span {
  readonly type: 'List';
  readonly items: readonly Expression[];
}

export interface MapLiteral extends Span {
  readonly type: 'Map';
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

export interface Name extends Span {
  readonly type: 'Name';
  readonly name: string;
}

/** `object.key`. A number after the dot is kept as text: `list.0` has the key `'0'`. */
export interface Member extends Span {
  readonly type: 'Member';
  readonly object: Expression;
  readonly key: string;
}

/** `object[index]`. */
export interface Index extends Span {
  readonly type: 'Index';
  readonly object: Expression;
  readonly index: Expression;
}

/** `callee(args, name=value)`. */
export interface Call extends Span {
  readonly type: 'Call';
  readonly callee: Expression;
  readonly args: readonly Expression[];
  readonly named: readonly Binding[];
}

/** `input|name:arg` and `input|name(arg, ...)`. `nameStart` is where the filter name begins. */
export interface Filter extends Span {
  readonly type: 'Filter';
  readonly input: Expression;
  readonly name: string;
  readonly nameStart: number;
  readonly args: readonly Expression[];
}

export interface Unary extends Span {
  readonly type: 'Unary';
  readonly operator: 'not' | '-' | '+';
  readonly operand: Expression;
}

export type BinaryOperator =
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | 'not in'
  | 'is'
  | 'is not'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '~';

export interface Binary extends Span {
  readonly type: 'Binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Logical extends Span {
  readonly type: 'Logical';
  readonly operator: 'and' | 'or';
  readonly left: Expression;
  readonly right: Expression;
}

/** `then if test else otherwise`. */
export interface Conditional extends Span {
  readonly type: 'Conditional';
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

/** The rendered body of a `{% filter %}` tag: the innermost input of its filter chain. */
export interface Captured extends Span {
  readonly type: 'Captured';
}

/** `name=value` in `with`, `include`, `component` and calls. */
export interface Binding extends Span {
  readonly name: string;
  readonly value: Expression;
}

/**
 * The name of a template in `include`, `extends`, `component` and `import`. A `word` is a bare word: if a
 * variable of that name holds a string, that string is the name, else the word is. `lookup` reads the
 * variable; it is absent if the word cannot be a variable.
 */
export type TemplateRef =
  | (Span & { readonly kind: 'literal'; readonly name: string })
  | (Span & { readonly kind: 'word'; readonly name: string; readonly lookup?: Expression })
  | (Span & { readonly kind: 'expression'; readonly value: Expression });

// ----------------------------------------------------------------------------------------- statements

export type Node =
  | Text
  | Output
  | If
  | For
  | With
  | SetVariable
  | Include
  | Extends
  | Block
  | Component
  | Slot
  | Macro
  | Import
  | Autoescape
  | FirstOf
  | Cycle
  | CycleNext
  | Now
  | Spaceless
  | FilterBlock
  | IfChanged
  | Regroup
  | ResetCycle
  | WidthRatio
  | Lorem
  | QueryString
  | Cache
  | Blocks
  | Region
  | Partial;

export interface Template {
  readonly name: string;
  readonly source: string;
  readonly body: readonly Node[];
  /** Bodies of the `{% partialdef %}`s by name. */
  readonly partials: ReadonlyMap<string, readonly Node[]>;
}

export interface Text extends Span {
  readonly type: 'Text';
  readonly value: string;
}

export interface Output extends Span {
  readonly type: 'Output';
  readonly value: Expression;
}

export interface If extends Span {
  readonly type: 'If';
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Node[] }[];
  /** Absent without `{% else %}`. */
  readonly otherwise?: readonly Node[];
}

export interface For extends Span {
  readonly type: 'For';
  readonly targets: readonly string[];
  readonly iterable: Expression;
  readonly reversed: boolean;
  readonly body: readonly Node[];
  /** Absent without `{% empty %}`. */
  readonly empty?: readonly Node[];
}

export interface With extends Span {
  readonly type: 'With';
  readonly bindings: readonly Binding[];
  readonly body: readonly Node[];
}

export interface SetVariable extends Span {
  readonly type: 'Set';
  readonly name: string;
  readonly value: Expression;
}

export interface Include extends Span {
  readonly type: 'Include';
  readonly template: TemplateRef;
  readonly bindings: readonly Binding[];
  readonly only: boolean;
}

export interface Extends extends Span {
  readonly type: 'Extends';
  readonly template: TemplateRef;
}

export interface Block extends Span {
  readonly type: 'Block';
  readonly name: string;
  readonly body: readonly Node[];
}

export interface Component extends Span {
  readonly type: 'Component';
  readonly template: TemplateRef;
  readonly bindings: readonly Binding[];
  /** The content of the default slot is the fill named `default`. */
  readonly fills: readonly Fill[];
}

export interface Fill extends Span {
  readonly name: string;
  readonly body: readonly Node[];
}

export interface Slot extends Span {
  readonly type: 'Slot';
  readonly name: string;
  readonly fallback: readonly Node[];
}

export interface Macro extends Span {
  readonly type: 'Macro';
  readonly name: string;
  readonly params: readonly MacroParam[];
  readonly body: readonly Node[];
}

export interface MacroParam extends Span {
  readonly name: string;
  /** Absent if the parameter has no default: a call that leaves it out makes it empty. */
  readonly default?: Expression;
}

export interface Import extends Span {
  readonly type: 'Import';
  readonly template: TemplateRef;
  readonly names: readonly (Span & { readonly name: string; readonly alias: string })[];
}

export interface Autoescape extends Span {
  readonly type: 'Autoescape';
  readonly on: boolean;
  readonly body: readonly Node[];
}

export interface FirstOf extends Span {
  readonly type: 'FirstOf';
  readonly values: readonly Expression[];
  readonly as?: string;
}

/** `{% cycle a b as name silent %}`. */
export interface Cycle extends Span {
  readonly type: 'Cycle';
  readonly values: readonly Expression[];
  readonly as?: string;
  readonly silent: boolean;
}

/** `{% cycle name %}`: advances the cycle declared under that name. */
export interface CycleNext extends Span {
  readonly type: 'CycleNext';
  readonly name: string;
}

export interface Now extends Span {
  readonly type: 'Now';
  readonly format: Expression;
  readonly as?: string;
}

export interface Spaceless extends Span {
  readonly type: 'Spaceless';
  readonly body: readonly Node[];
}

/** `{% filter f|g:arg %}`: `value` is the filter chain over `Captured`. */
export interface FilterBlock extends Span {
  readonly type: 'FilterBlock';
  readonly value: Expression;
  readonly body: readonly Node[];
}

/** `{% ifchanged a b %}`: without values the rendered body itself is compared. */
export interface IfChanged extends Span {
  readonly type: 'IfChanged';
  readonly values: readonly Expression[];
  readonly body: readonly Node[];
  /** Absent without `{% else %}`. */
  readonly otherwise?: readonly Node[];
}

/**
 * `{% regroup list by key as name %}`: `key` is computed for each entry of `list`. Inside `key` the variable
 * with the name `entry` holds the entry.
 */
export interface Regroup extends Span {
  readonly type: 'Regroup';
  readonly list: Expression;
  readonly entry: string;
  readonly key: Expression;
  readonly as: string;
}

/** `{% resetcycle name %}`. Without a name it resets the last cycle before it. */
export interface ResetCycle extends Span {
  readonly type: 'ResetCycle';
  readonly name?: string;
}

/** `{% widthratio value max width as name %}`. */
export interface WidthRatio extends Span {
  readonly type: 'WidthRatio';
  readonly value: Expression;
  readonly max: Expression;
  readonly width: Expression;
  readonly as?: string;
}

/** `{% lorem count method random %}`. */
export interface Lorem extends Span {
  readonly type: 'Lorem';
  readonly count: Expression;
  readonly method: 'words' | 'paragraphs' | 'blocks';
  readonly random: boolean;
}

/** `{% querystring base key=value as name %}`. */
export interface QueryString extends Span {
  readonly type: 'QueryString';
  readonly bases: readonly Expression[];
  readonly bindings: readonly Binding[];
  readonly as?: string;
}

/**
 * Renders a `{% partialdef %}` of the same template here, with the variables visible here. Made from
 * `{% partial name %}`, and from a definition that is `inline`.
 */
export interface Partial extends Span {
  readonly type: 'Partial';
  readonly name: string;
  readonly body: readonly Node[];
}

/** `{% cache seconds name ... %}`: rendered like any other content, since pages are cached whole. */
export interface Cache extends Span {
  readonly type: 'Cache';
  readonly timeout: Expression;
  readonly body: readonly Node[];
}

/** `{% blocks expr %}`: a tree of typed blocks, each rendered by the snippet of its type. */
export interface Blocks extends Span {
  readonly type: 'Blocks';
  readonly tree: Expression;
}

/** `{% region name key=value %}`: the words that a page has under that name, else `body`. */
export interface Region extends Span {
  readonly type: 'Region';
  /** As it is written; it may be a name that no region can have. */
  readonly name: string;
  readonly bindings: readonly Binding[];
  readonly body: readonly Node[];
}
