/** Calls in the code of a workflow whose promise nobody waits for. */
import { type AnyNode, type CallExpression, type Program, parse } from 'acorn';
import { ancestor } from 'acorn-walk';

/** Objects of function nodes whose methods return promises. */
const asynchronous = new Set(['store', 'idb']);

/** A call without `await`. Line and column count from 1. */
export interface MissingAwait {
  /** Such as `store.get`. */
  readonly call: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The calls of `store` and `idb` whose promise is dropped, or used as if it were the value. A promise that is
 * returned, passed on or kept in a variable that is awaited somewhere is none of them.
 *
 * @param source the body of an asynchronous function; one that does not parse has no findings here
 */
export function findMissingAwaits(source: string): readonly MissingAwait[] {
  const program = parseBody(source);
  if (program === undefined) return [];
  const awaited = listAwaitedNames(program);
  const found: MissingAwait[] = [];
  ancestor(program, {
    CallExpression(node, _state, ancestors) {
      const call = nameOf(node);
      if (call === undefined || !isLost(ancestors.toReversed().slice(1), awaited)) return;
      const { line = 1, column = 0 } = node.loc?.start ?? {};
      found.push({ call, line, column: column + 1 });
    },
  });
  return found;
}

function parseBody(source: string): Program | undefined {
  try {
    return parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      locations: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The name of an asynchronous call, such as `store.get`. */
function nameOf({ callee }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
  const { object, property } = callee;
  if (object.type !== 'Identifier' || property.type !== 'Identifier') return undefined;
  return asynchronous.has(object.name) ? `${object.name}.${property.name}` : undefined;
}

/** Variables that are mentioned behind an `await`, or returned. */
function listAwaitedNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  ancestor(program, {
    Identifier({ name }, _state, ancestors) {
      if (ancestors.some(({ type }) => type === 'AwaitExpression' || type === 'ReturnStatement'))
        names.add(name);
    },
  });
  return names;
}

/** Places in which a promise goes on to somebody who may wait for it. */
const passing = new Set([
  'AwaitExpression',
  'ReturnStatement',
  'ArrowFunctionExpression',
  'ArrayExpression',
  'CallExpression',
  'NewExpression',
  'SpreadElement',
  'YieldExpression',
]);

/** Methods of promises. */
const handlers = new Set(['then', 'catch', 'finally']);

/** Wrappers whose value is that of what they hold. */
const transparent = new Set([
  'ConditionalExpression',
  'LogicalExpression',
  'ChainExpression',
  'SequenceExpression',
]);

/** @param around the nodes around the call, the nearest first */
function isLost(around: readonly AnyNode[], awaited: ReadonlySet<string>): boolean {
  const parent = around.find(({ type }) => !transparent.has(type));
  if (parent === undefined || passing.has(parent.type)) return false;
  switch (parent.type) {
    case 'ForOfStatement':
      return !parent.await;
    case 'MemberExpression':
      return !(parent.property.type === 'Identifier' && handlers.has(parent.property.name));
    case 'VariableDeclarator':
      return !isAwaited(parent.id, awaited);
    case 'AssignmentExpression':
      return !isAwaited(parent.left, awaited);
    default:
      return true;
  }
}

function isAwaited(target: AnyNode, awaited: ReadonlySet<string>): boolean {
  return target.type === 'Identifier' && awaited.has(target.name);
}
