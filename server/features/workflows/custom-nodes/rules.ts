import { collectFaults, type FieldFault, invalid, requireText } from '../../../base/errors.ts';
import { type FlowNode, type FlowNodeCreate, type FlowNodeParam, flowNodeLimits } from './model.ts';

/** What rules look at: the fields of a body, and those that it leaves as they are. */
type Sent = Partial<FlowNodeCreate>;

/** The faults in the fields of a definition. @param before the node to change */
export function findDefinitionFaults(sent: Sent, before?: FlowNode): Promise<readonly FieldFault[]> {
  const { key, name, params } = sent;
  return collectFaults([
    () => key !== undefined && key !== '' && checkKey(key),
    () => name !== undefined && requireText('name', name),
    () => checkOutputs({ ...before, ...sent }),
    ...(params ?? []).map((param, index) => () => checkParam(param, `params.${index}`)),
    () => params !== undefined && checkNames(params),
  ]);
}

function checkKey(key: string): void {
  if (!/^[a-z][a-z0-9_-]*$/.test(key))
    throw invalid('key', 'must begin with a-z and have only a-z, 0-9, hyphens and underscores');
}

function checkOutputs({ inputs, outputs }: Sent): void {
  if (inputs === 0 && outputs?.length === 0) throw invalid('outputs', 'must not be empty for a start node');
}

function checkParam(param: FlowNodeParam, at: string): void {
  const { name, type, options = [] } = param;
  if (!identifier.test(name) || refusedNames.has(name) || reservedWords.has(name))
    throw invalid(`${at}.name`, 'must be a JavaScript identifier');
  if (type === 'select' && options.length === 0)
    throw invalid(`${at}.options`, 'must have at least one value');
  if (param.default === undefined) return;
  const fault = faultOfValue(param, param.default);
  if (fault !== undefined) throw invalid(`${at}.default`, fault);
}

function checkNames(params: readonly FlowNodeParam[]): void {
  const names = params.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid('params', `has the name ${repeated} twice`);
}

/** Why a value cannot be that of a parameter; undefined if it can. */
function faultOfValue({ type, options = [] }: FlowNodeParam, value: unknown): string | undefined {
  if (type === 'number')
    return value === '' || Number.isFinite(numberOf(value)) ? undefined : 'must be a number';
  if (type === 'checkbox') return booleans.has(value) ? undefined : 'must be true or false';
  if (typeof value === 'object') return 'must be a text';
  return type !== 'select' || options.includes(String(value)) ? undefined : 'must be one of the options';
}

/**
 * The values that the code of a custom node gets as `params`: those that are given, with the types of the
 * definition, and defaults for the others. A number without a value is null.
 *
 * @param given the values of a workflow, by name
 * @throws Error for a value that does not fit
 */
export function requireParameters(
  params: readonly FlowNodeParam[],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    params.map((param) => {
      const own = Object.hasOwn(given, param.name) ? given[param.name] : undefined;
      const value = own ?? param.default ?? emptyValues[param.type];
      const fault = value === emptyValues[param.type] ? undefined : faultOfValue(param, value);
      if (fault !== undefined) throw new Error(`the parameter ${param.name} ${fault}`);
      return [param.name, converted(param, value)];
    }),
  );
}

function converted({ type }: FlowNodeParam, value: unknown): unknown {
  if (type === 'number') return value === '' ? null : numberOf(value);
  if (type === 'checkbox') return booleans.get(value);
  return String(value);
}

function numberOf(value: unknown): number {
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN;
}

/** Values of parameters without a value and without a default. */
const emptyValues: Readonly<Record<FlowNodeParam['type'], unknown>> = {
  text: '',
  textarea: '',
  number: '',
  checkbox: false,
  select: '',
};

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** ECMAScript, ReservedWord. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally ' +
    'for function if import in instanceof new null return super switch this throw true try typeof var void while ' +
    'with yield'
  ).split(' '),
);

/** Names that lead to a prototype. */
const refusedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A key made from a name, with a number behind it if it is taken: `add_tax`, `add_tax_2`. */
export function keyFrom(name: string, taken: ReadonlySet<string>): string {
  const plain = name.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const base = words.join('_').replace(/^(?![a-z])/, words.length === 0 ? 'node' : 'node_');
  const start = base.slice(0, flowNodeLimits.key - 6);
  let key = start;
  for (let number = 2; taken.has(key); number += 1) key = `${start}_${number}`;
  return key;
}
