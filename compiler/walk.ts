/** The children of each type of node. Only this file knows the shape of the whole tree. */
import type { Expression, Node, TemplateRef } from '../grammar/ast.ts';

const none: readonly never[] = Object.freeze([]);

/** Bodies of a node, in document order. */
export function listBodies(node: Node): readonly (readonly Node[])[] {
  switch (node.type) {
    // Most nodes are one of these two, and V8 compares in this order.
    case 'Text':
    case 'Output':
      return none;
    case 'If': {
      const bodies = node.branches.map((branch) => branch.body);
      if (node.otherwise) bodies.push(node.otherwise);
      return bodies;
    }
    case 'For':
      return node.empty ? [node.body, node.empty] : [node.body];
    case 'With':
    case 'Block':
    case 'Macro':
    case 'Autoescape':
    case 'Spaceless':
    case 'FilterBlock':
    case 'Partial':
    case 'Region':
    case 'Cache':
      return [node.body];
    case 'IfChanged':
      return node.otherwise ? [node.body, node.otherwise] : [node.body];
    case 'Component':
      return node.fills.map((fill) => fill.body);
    case 'Slot':
      return [node.fallback];
    case 'Set':
    case 'Include':
    case 'Extends':
    case 'Import':
    case 'FirstOf':
    case 'Cycle':
    case 'CycleNext':
    case 'ResetCycle':
    case 'Now':
    case 'Regroup':
    case 'WidthRatio':
    case 'Lorem':
    case 'QueryString':
    case 'Blocks':
      return none;
    default:
      return unreachable(node);
  }
}

/** Expressions that belong to the node itself, not to nodes in its bodies. */
export function listExpressions(node: Node): readonly Expression[] {
  switch (node.type) {
    case 'Text':
      return none;
    case 'Output':
    case 'Set':
    case 'FilterBlock':
      return [node.value];
    case 'If':
      return node.branches.map((branch) => branch.test);
    case 'For':
      return [node.iterable];
    case 'With':
      return node.bindings.map((binding) => binding.value);
    case 'Include':
    case 'Component':
      return [...referenceOf(node.template), ...node.bindings.map((binding) => binding.value)];
    case 'Extends':
    case 'Import':
      return referenceOf(node.template);
    case 'FirstOf':
    case 'Cycle':
      return node.values;
    case 'Now':
      return [node.format];
    case 'IfChanged':
      return node.values;
    case 'Regroup':
      return [node.list, node.key];
    case 'WidthRatio':
      return [node.value, node.max, node.width];
    case 'Lorem':
      return [node.count];
    case 'Blocks':
      return [node.tree];
    case 'Cache':
      return [node.timeout];
    case 'QueryString':
      return [...node.bases, ...node.bindings.map((binding) => binding.value)];
    case 'Macro':
      return node.params.flatMap((param) => (param.default ? [param.default] : []));
    case 'Block':
    case 'Slot':
    case 'Autoescape':
    case 'Spaceless':
    case 'CycleNext':
    case 'ResetCycle':
    case 'Partial':
    // Only literals count there, so nothing computes the values.
    case 'Region':
      return none;
    default:
      return unreachable(node);
  }
}

export function listOperands(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'Literal':
    case 'Name':
    case 'Captured':
      return none;
    case 'List':
      return expression.items;
    case 'Map':
      return expression.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'Member':
      return [expression.object];
    case 'Index':
      return [expression.object, expression.index];
    case 'Call':
      return [expression.callee, ...expression.args, ...expression.named.map((binding) => binding.value)];
    case 'Filter':
      return [expression.input, ...expression.args];
    case 'Unary':
      return [expression.operand];
    case 'Binary':
    case 'Logical':
      return [expression.left, expression.right];
    case 'Conditional':
      return [expression.test, expression.then, expression.otherwise];
    default:
      return unreachable(expression);
  }
}

/** Whether a node has no bodies and assigns no name. It spares walks most of their work. */
export function isPlainLeaf({ type }: Node): boolean {
  return type === 'Text' || type === 'Output';
}

/** Visits every node, parents before children. */
export function walkNodes(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    visit(node);
    if (!isPlainLeaf(node)) for (const body of listBodies(node)) walkNodes(body, visit);
  }
}

/** Visits an expression and everything in it, outermost first. */
export function walkExpression(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  for (const operand of listOperands(expression)) walkExpression(operand, visit);
}

export function unreachable(node: never): never {
  throw new Error(`A node the compiler does not know: ${JSON.stringify(node)}`);
}

function referenceOf(template: TemplateRef): readonly Expression[] {
  if (template.kind === 'expression') return [template.value];
  return template.kind === 'word' && template.lookup ? [template.lookup] : [];
}
