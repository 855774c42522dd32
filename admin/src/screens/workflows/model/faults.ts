/** What the server has refused of a flow, at the nodes that it is about. */
import { ApiFailure, toRecord } from '../../../api/failure.ts';
import { failureText, valueFaultText } from '../../../api/failure-text.ts';
import type { Warning } from '../../../api/generated/schema.ts';
import type { Flow } from '../../../content/flow.ts';
import type { Faults } from '../../../kit/form/form-texts.ts';

export interface NodeFault {
  /** Setting, perhaps with a place inside, such as `headers.0.name`; empty if it is about the node. */
  readonly field: string;
  readonly text: string;
}

/** Faults by the ID of the node. */
export type NodeFaults = ReadonlyMap<string, readonly NodeFault[]>;

const noFaults: NodeFaults = new Map();

/** @param flow as it was sent: faults name nodes by their index */
export function faultsAtNodes(error: unknown, flow: Flow): NodeFaults {
  if (!(error instanceof ApiFailure)) return noFaults;
  const { code, params } = error;
  if (code === 'common.invalid') {
    const faults: readonly unknown[] = Array.isArray(params['errors']) ? params['errors'] : [params];
    return grouped(faults.flatMap((fault) => faultIn(toRecord(fault), flow)));
  }
  const text = failureText(error);
  if (code === 'workflow.unknownNodeType') return grouped([[String(params['node']), { field: '', text }]]);
  if (code !== 'workflow.pathTaken') return noFaults;
  const inputs = flow.nodes.filter(
    ({ type, config }) => type === 'http-in' && config['path'] === params['path'],
  );
  return grouped(inputs.map(({ id }) => [id, { field: 'path', text }]));
}

/** Code that does not parse, as the last save has found it. */
export function warningsAtNodes(warnings: readonly Warning[]): NodeFaults {
  return grouped(
    warnings.map(({ params, error }) => [String(params['node']), { field: 'code', text: error }]),
  );
}

/** Faults of one node by the setting that they are about, as its form shows them. */
export function faultsBySetting(faults: readonly NodeFault[]): Faults {
  const texts: Record<string, string> = {};
  for (const { field, text } of faults) texts[field] = field in texts ? `${texts[field]} ${text}` : text;
  return texts;
}

/** The place in the code that a fault names; none if it names no place. */
export function marksIn(text = '') {
  const [, line, column] = /line (\d+), column (\d+)/.exec(text) ?? [];
  return line === undefined ? [] : [{ line: Number(line), column: Number(column), text }];
}

type Found = readonly [node: string, fault: NodeFault];

function faultIn({ field, reason }: Readonly<Record<string, unknown>>, { nodes, wires }: Flow): Found[] {
  const [, list, index, rest = ''] = /^flow\.(nodes|wires)\.(\d+)(?:\.(.*))?$/.exec(String(field)) ?? [];
  if (list === undefined) return [];
  const id = list === 'nodes' ? nodes[Number(index)]?.id : wires[Number(index)]?.from;
  const text = valueFaultText('common.invalid', { reason }, String(reason));
  return id === undefined ? [] : [[id, { field: rest.replace(/^config\./, ''), text }]];
}

function grouped(found: readonly Found[]): NodeFaults {
  const faults = new Map<string, NodeFault[]>();
  for (const [id, fault] of found) faults.set(id, [...(faults.get(id) ?? []), fault]);
  return faults;
}
