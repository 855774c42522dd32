/** Expressions to JavaScript. A `Value` holds the code of a value and its kind, as far as it is known. */
import type { BinaryOperator, Expression, Member } from '../../grammar/ast.ts';
import { unreachable } from '../walk.ts';
import { emitSuper } from './block.ts';
import { emitCall } from './call.ts';
import {
  awaited,
  callHelper,
  constant,
  contentOfSlot,
  type EmitContext,
  type Missing,
  type Value,
  waitsFor,
} from './context.ts';
import { charged, emitFilter, emitPrinter } from './filter.ts';
import type { HelperName } from './helpers.ts';
import { emitName, findLoop, loopFields, mayBeMissing, readProperty } from './names.ts';
import { literal, mark } from './writer.ts';

function emitExpression(ctx: EmitContext, expression: Expression): Value {
  switch (expression.type) {
    case 'Literal':
      return emitLiteral(expression.value);
    case 'Name':
      return emitName(ctx, expression.name);
    case 'Member':
      return emitMember(ctx, expression);
    case 'Index':
      return mayBeMissing(
        `r.chargeView(${callHelper(ctx, 'get', emitOperand(ctx, expression.object), emitOperand(ctx, expression.index))})`,
      );
    case 'Call':
      return emitCall(ctx, expression, emitValue);
    case 'Filter':
      return emitFilter(ctx, expression, 'empty', emitValue);
    case 'List':
      return emitList(ctx, expression.items);
    case 'Map':
      return emitMap(ctx, expression.entries, expression.start);
    case 'Unary':
      return expression.operator === 'not'
        ? { kind: 'boolean', js: `!${emitTest(ctx, expression.operand)}` }
        : emitArithmetic(
            ctx,
            expression.operator === '-' ? 'negative' : 'positive',
            [expression.operand],
            expression.start,
          );
    case 'Binary':
      return emitBinary(ctx, expression.operator, expression.left, expression.right, expression.start);
    case 'Logical':
      return emitLogical(ctx, expression);
    case 'Conditional': {
      const [then, otherwise] = [emitValue(ctx, expression.then), emitValue(ctx, expression.otherwise)];
      return {
        kind: 'any',
        js: `(${emitTest(ctx, expression.test)} ? ${then} : ${otherwise})`,
        maybeMissing: true,
      };
    }
    case 'Captured':
      return { kind: 'html', js: ctx.captured ?? '""' };
    default:
      return unreachable(expression);
  }
}

/** The output of a literal; undefined if only the runtime can make it. Strings are safe, as in Django. */
export function constantOutput(expression: Expression): string | undefined {
  if (expression.type !== 'Literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value || 0) : undefined;
  return value === null ? 'None' : value ? 'True' : 'False';
}

/** Code of the string that `{{ expression }}` appends, escaped if autoescape is on. */
export function emitOutput(ctx: EmitContext, expression: Expression): string {
  // A final `|safe` needs no SafeString: the text is printed as it is.
  if (expression.type === 'Filter' && expression.name === 'safe' && expression.args.length === 0) {
    return emitPlain(ctx, expression.input);
  }
  const printer = emitPrinter(ctx, expression, emitValue);
  if (printer !== undefined) return printer;
  const value = emitExpression(ctx, expression);
  return value.kind === 'any' && ctx.autoescape ? callHelper(ctx, 'escape', value.js) : plainText(ctx, value);
}

/** Code of the expression as text, not escaped. */
export function emitPlain(ctx: EmitContext, expression: Expression): string {
  return plainText(ctx, emitExpression(ctx, expression));
}

function plainText(ctx: EmitContext, value: Value): string {
  switch (value.kind) {
    case 'constant':
      return literal(value.text);
    case 'html':
      return value.js;
    case 'integer':
      return `\`\${${value.js}}\``;
    case 'boolean':
      return `(${value.js} ? "True" : "False")`;
    default:
      return callHelper(ctx, 'text', value.js);
  }
}

/** Code of a value that is stored or passed on. The value is never undefined. */
export function emitValue(ctx: EmitContext, expression: Expression, missing: Missing = 'empty'): string {
  const value =
    expression.type === 'Filter'
      ? emitFilter(ctx, expression, missing, emitValue)
      : emitExpression(ctx, expression);
  return present(ctx, value, missing);
}

function present(ctx: EmitContext, value: Value, missing: Missing): string {
  switch (value.kind) {
    case 'constant':
      return constant(ctx, newSafe(ctx, literal(value.text)), 'text');
    case 'html':
      return newSafe(ctx, value.js);
    case 'any':
      if (!value.maybeMissing) return value.js;
      return callHelper(ctx, missing === 'empty' ? 'orEmpty' : 'orNone', value.js);
    default:
      return value.js;
  }
}

function newSafe(ctx: EmitContext, js: string): string {
  return `new ${callHelper(ctx, 'SafeString', js)}`;
}

/** Code of a value for an operator or a lookup: string literals are plain strings, missing names are None. */
export function emitOperand(ctx: EmitContext, expression: Expression): string {
  return operandCode(ctx, emitOperandValue(ctx, expression));
}

function emitOperandValue(ctx: EmitContext, expression: Expression): Value {
  return expression.type === 'Filter'
    ? emitFilter(ctx, expression, 'none', emitValue)
    : emitExpression(ctx, expression);
}

function operandCode(ctx: EmitContext, value: Value): string {
  if (value.kind === 'constant') return literal(value.text);
  if (value.kind === 'any' && value.maybeMissing) return callHelper(ctx, 'orNone', value.js);
  return value.js;
}

/** Code of a JavaScript boolean: the expression as a condition. */
export function emitTest(ctx: EmitContext, expression: Expression): string {
  if (expression.type === 'Unary' && expression.operator === 'not')
    return `!${emitTest(ctx, expression.operand)}`;
  if (expression.type === 'Logical') {
    const [left, right] = [emitTest(ctx, expression.left), emitTest(ctx, expression.right)];
    return `(${left} ${expression.operator === 'and' ? '&&' : '||'} ${right})`;
  }
  const value =
    expression.type === 'Filter'
      ? emitFilter(ctx, expression, 'none', emitValue)
      : emitExpression(ctx, expression);
  switch (value.kind) {
    case 'boolean':
      return value.js;
    case 'number':
    case 'integer':
      return `(${value.js} !== 0)`;
    case 'html':
      return `(${value.js} !== "")`;
    case 'constant':
      return value.text === '' ? 'false' : 'true';
    default:
      return callHelper(ctx, 'truthy', value.js, 'r');
  }
}

// ------------------------------------------------------------------------------------------------ leaves

function emitLiteral(value: string | number | boolean | null): Value {
  if (typeof value === 'string') return { kind: 'constant', text: value };
  if (typeof value === 'number') return { kind: 'number', js: literal(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', js: literal(value) };
  return { kind: 'any', js: 'null', maybeMissing: false };
}

function emitMember(ctx: EmitContext, expression: Member): Value {
  const { object, key } = expression;
  if (object.type === 'Name' && object.name === 'block' && key === 'super' && ctx.superOf !== undefined) {
    return { kind: 'html', js: emitSuper(ctx, ctx.superOf, expression.start) };
  }
  if (object.type === 'Name' && object.name === 'slots') {
    const content = contentOfSlot(ctx, key);
    if (content !== undefined) return { kind: 'boolean', js: `(${content} !== "")` };
    return mayBeMissing(awaited(ctx, callHelper(ctx, 'slotOrField', emitOperand(ctx, object), literal(key))));
  }
  const loop = findLoop(ctx, object);
  const field = loop && loopFields.get(key);
  if (loop && field) return field(loop);
  return mayBeMissing(readProperty(ctx, emitExpression(ctx, object), key, expression.start));
}

function emitList(ctx: EmitContext, items: readonly Expression[]): Value {
  return {
    kind: 'any',
    js: `[${items.map((item) => emitKept(ctx, item)).join(', ')}]`,
    maybeMissing: false,
  };
}

function emitMap(
  ctx: EmitContext,
  entries: readonly { readonly key: Expression; readonly value: Expression }[],
  offset: number,
): Value {
  const parts = entries.map(({ key, value }) => `[${emitOperand(ctx, key)}, ${emitKept(ctx, value)}]`);
  return {
    kind: 'any',
    js: mark(offset) + callHelper(ctx, 'mapOf', `[${parts.join(', ')}]`),
    maybeMissing: false,
  };
}

// --------------------------------------------------------------------------------------------- operators

/** @param charge further arguments: the state to be charged for the operands, or none */
type EmitComparison = (ctx: EmitContext, left: string, right: string, charge: readonly string[]) => string;

const comparisons: Readonly<Record<string, EmitComparison>> = {
  '==': (ctx, left, right, charge) => callHelper(ctx, 'equal', left, right, ...charge),
  '!=': (ctx, left, right, charge) => `!${callHelper(ctx, 'equal', left, right, ...charge)}`,
  '<': (ctx, left, right, charge) => callHelper(ctx, 'less', left, right, ...charge),
  '>': (ctx, left, right, charge) => callHelper(ctx, 'less', right, left, ...charge),
  '<=': (ctx, left, right, charge) => callHelper(ctx, 'lessOrEqual', left, right, ...charge),
  '>=': (ctx, left, right, charge) => callHelper(ctx, 'lessOrEqual', right, left, ...charge),
  in: (ctx, left, right) => callHelper(ctx, 'contains', right, left),
  'not in': (ctx, left, right) => callHelper(ctx, 'lacks', right, left),
  is: (ctx, left, right) => callHelper(ctx, 'identical', left, right),
  'is not': (ctx, left, right) => `!${callHelper(ctx, 'identical', left, right)}`,
};

type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

const arithmetic: Readonly<Record<ArithmeticOperator, HelperName>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

function emitBinary(
  ctx: EmitContext,
  operator: BinaryOperator,
  a: Expression,
  b: Expression,
  offset: number,
): Value {
  const comparison = comparisons[operator];
  if (comparison) {
    // A comparison with a literal is quick for operands of any size, and so is a test for identity. The other
    // comparisons charge for their operands, unless they are numbers.
    const isSearch = operator.endsWith('in');
    const isQuick = operator.startsWith('is') || [a, b].some(({ type }) => type === 'Literal');
    const emit = isSearch ? emitCharged : emitOrMissing;
    const charge = isQuick ? [] : ['r'];
    return { kind: 'boolean', js: comparison(ctx, emit(ctx, a), emit(ctx, b), charge) };
  }
  if (operator === '~') {
    const parts = [a, b].map((part) => emitKept(ctx, part));
    const joined = callHelper(ctx, 'join', ...parts);
    return { kind: 'any', js: `r.charge(${mark(offset)}${joined})`, maybeMissing: false };
  }
  if (!isArithmetic(operator)) throw new Error(`An operator the compiler does not know: ${operator}`);
  return emitArithmetic(ctx, arithmetic[operator], [a, b], offset);
}

/** A call of a helper that calculates. The result is missing if an operand is, so the kinds of both count. */
function emitArithmetic(
  ctx: EmitContext,
  helperName: HelperName,
  operands: readonly Expression[],
  offset: number,
): Value {
  const values = operands.map((operand) => emitOperandValue(ctx, operand));
  const areNumbers = values.every(({ kind }) => kind === 'number' || kind === 'integer');
  const names = areNumbers ? [] : operands.map((operand) => literal(sourceOf(ctx, operand)));
  const js =
    mark(offset) + callHelper(ctx, helperName, ...values.map((value) => operandCode(ctx, value)), ...names);
  if (areNumbers) return { kind: 'number', js };
  // Only lists can make a large value here.
  return { kind: 'any', js: helperName === 'add' ? `r.charge(${js})` : js, maybeMissing: true };
}

/** Most characters of an operand that an error shows. */
const maxNameLength = 60;

/** An operand as the template has it. */
function sourceOf({ template }: EmitContext, { start, end }: Expression): string {
  return template.source.slice(start, Math.min(end, start + maxNameLength)).trim();
}

function isArithmetic(operator: BinaryOperator): operator is ArithmeticOperator {
  return operator in arithmetic;
}

/** An operand for a helper that takes a missing value as none. */
export function emitOrMissing(ctx: EmitContext, expression: Expression): string {
  const value = emitOperandValue(ctx, expression);
  return value.kind === 'constant' ? literal(value.text) : value.js;
}

/** An operand for operators that read all of it. Its size counts against the budget of the render. */
function emitCharged(ctx: EmitContext, expression: Expression): string {
  return charged(expression, emitOperand(ctx, expression));
}

/** An operand that becomes part of another value: HTML stays safe, strings of the author are plain text. */
function emitKept(ctx: EmitContext, expression: Expression): string {
  return expression.type === 'Literal' ? emitOperand(ctx, expression) : emitStored(ctx, expression, 'none');
}

/** A value that is stored. If the expression may make a large value, its size counts against the budget. */
export function emitStored(ctx: EmitContext, expression: Expression, missing: Missing = 'empty'): string {
  const js = emitValue(ctx, expression, missing);
  return makers.has(expression.type) ? `r.charge(${js})` : js;
}

/** Expressions that may make a large value and do not charge for it themselves. */
const makers: ReadonlySet<Expression['type']> = new Set(['Filter', 'Call', 'Logical', 'Conditional']);

function emitLogical(ctx: EmitContext, expression: Expression & { type: 'Logical' }): Value {
  const left = emitValue(ctx, expression.left, 'none');
  const { code: right, waits } = waitsFor(ctx, () => emitValue(ctx, expression.right, 'none'));
  const js = callHelper(ctx, expression.operator, 'r', left, `${waits ? 'async ' : ''}() => ${right}`);
  return { kind: 'any', js: waits ? `(await ${js})` : js, maybeMissing: false };
}
