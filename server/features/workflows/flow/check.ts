/** The rules of a flow, checked when it is saved and before it runs unsaved. */

import { bodyValidator, type Validate } from '../../../api/validate.ts';
import { apiError, type FieldFault, faultsIn } from '../../../base/errors.ts';
import type { FlowNodeDefinitions } from '../custom-nodes/model.ts';
import { computePathShape, parseInputPath } from '../message/input-path.ts';
import type { Flow, FlowInput } from '../model.ts';
import { nodeTypes } from '../nodes/index.ts';
import type { NodeType } from '../nodes/node-type.ts';

/** The flow with all fields that a client may leave out. */
export function completeFlow({ nodes, wires = [] }: FlowInput): Flow {
  return {
    nodes: nodes.map(({ id, type, name = '', x = 0, y = 0, config = {} }) => ({
      id,
      type,
      name,
      x,
      y,
      config,
    })),
    wires: wires.map(({ from, out = 0, to }) => ({ from, out, to })),
  };
}

/**
 * The faults of a flow.
 *
 * @throws ApiError `workflow.unknownNodeType`
 */
export function faultsInFlow({ nodes, wires }: Flow, definitions: FlowNodeDefinitions): FieldFault[] {
  const faults: FieldFault[] = [];
  const ports = new Map<string, Ports>();
  for (const [index, { id, type: typeName, config }] of nodes.entries()) {
    const at = `flow.nodes.${index}`;
    const type = nodeTypes.get(typeName);
    if (type === undefined) throw apiError('workflow.unknownNodeType', { type: typeName, node: id });
    const inside = faultsInConfig(type, config, definitions);
    faults.push(...inside.map(({ field, reason }) => ({ field: `${at}.config.${field}`, reason })));
    if (ports.has(id)) faults.push({ field: `${at}.id`, reason: 'is there twice' });
    if (inside.length > 0) ports.set(id, { isStart: false, outputs: Number.POSITIVE_INFINITY });
    else ports.set(id, portsOf(type, config, definitions));
  }
  for (const [index, { from, out, to }] of wires.entries()) {
    const at = `flow.wires.${index}`;
    const [source, target] = [ports.get(from), ports.get(to)];
    if (source === undefined) faults.push({ field: `${at}.from`, reason: 'names no node of the flow' });
    else if (out >= source.outputs)
      faults.push({ field: `${at}.out`, reason: `is missing: the node has ${source.outputs} outputs` });
    if (target === undefined) faults.push({ field: `${at}.to`, reason: 'names no node of the flow' });
    else if (target.isStart)
      faults.push({ field: `${at}.to`, reason: 'is a start node, which has no input' });
  }
  return [...faults, ...doubleInputs({ nodes, wires }, definitions)];
}

interface Ports {
  readonly isStart: boolean;
  readonly outputs: number;
}

function portsOf(type: NodeType, config: unknown, definitions: FlowNodeDefinitions): Ports {
  return {
    isStart: type.isStart?.(config, definitions) ?? false,
    outputs: type.outputs(config, definitions),
  };
}

/** Compiled at the first use, because it takes a millisecond for each type. */
const validators = new Map<NodeType, Validate>();

function faultsInConfig(
  type: NodeType,
  config: unknown,
  definitions: FlowNodeDefinitions,
): readonly FieldFault[] {
  const validate = validators.get(type) ?? bodyValidator(type.config);
  validators.set(type, validate);
  try {
    validate(config);
    return type.faults?.(config, definitions) ?? [];
  } catch (error) {
    const faults = faultsIn(error);
    if (faults === undefined) throw error;
    return faults;
  }
}

/** An HTTP input of a flow. */
export interface InputKey {
  readonly node: number;
  readonly method: string;
  readonly shape: string;
}

/** The HTTP inputs of a flow without faults. */
export function listInputKeys({ nodes }: Flow): InputKey[] {
  return nodes.flatMap(({ type, config }, node) => {
    const trigger = type === 'http-in' ? nodeTypes.get(type)?.trigger?.(config) : undefined;
    if (trigger?.kind !== 'http') return [];
    return [{ node, method: trigger.method, shape: computePathShape(parseInputPath(trigger.path)) }];
  });
}

/** Whether two inputs of one shape would answer the same requests. */
export function sharesMethod(left: string, right: string): boolean {
  return left === right || left === 'ANY' || right === 'ANY';
}

function doubleInputs(flow: Flow, definitions: FlowNodeDefinitions): FieldFault[] {
  const valid = flow.nodes.map((node) => {
    const type = nodeTypes.get(node.type);
    const isInput = node.type === 'http-in' && type !== undefined;
    return isInput && faultsInConfig(type, node.config, definitions).length === 0
      ? node
      : { ...node, type: '' };
  });
  const keys = listInputKeys({ ...flow, nodes: valid });
  return keys.flatMap(({ node, method, shape }, index) =>
    keys.slice(0, index).some((other) => other.shape === shape && sharesMethod(other.method, method))
      ? [{ field: `flow.nodes.${node}.config.path`, reason: 'is the path of another input of the flow' }]
      : [],
  );
}
