/** What the server has refused of a flow, at the nodes that it is about. */
import { ApiFailure, toRecord } from '../../../api/failure.ts';
import { failureText, valueFaultText } from '../../../api/failure-text.ts';
import type { Warning, WorkflowRun } from '../../../api/generated/schema.ts';
import type { Flow } from '../../../content/flow.ts';
import { isEqual } from '../../../editing/merge/fields.ts';
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

/** The flow that a refused request had; undefined if it had none. */
export function sentFlow(error: unknown): Flow | undefined {
  const { flow } = toRecord(error instanceof ApiFailure ? error.sent : undefined);
  // Type boundary: this window has sent it.
  return flow === undefined ? undefined : (flow as Flow);
}

/** Warnings whose place is in the code of a node. */
const aboutCode: ReadonlySet<string> = new Set(['workflow.codeSyntax', 'workflow.awaitMissing']);

/** What the last save has found in code and settings. */
export function warningsAtNodes(warnings: readonly Warning[]): NodeFaults {
  return grouped(
    warnings.map(({ code, params, error }) => {
      const field = aboutCode.has(code) ? 'code' : String(params['field'] ?? '');
      return [String(params['node']), { field, text: error }];
    }),
  );
}

/** What has stopped a run, at the nodes where it did. */
export function faultsOfRun(run: Pick<WorkflowRun, 'logs'> | undefined): NodeFaults {
  const errors = run?.logs.filter(({ level, node }) => level === 'error' && node !== '') ?? [];
  return grouped(errors.map(({ node, message }) => [node, { field: 'code', text: message }]));
}

/**
 * Faults whose setting is still as it was. What was changed since may be right.
 *
 * @param before the flow that the faults were found in
 */
export function faultsStill(faults: NodeFaults, before: Flow, now: Flow): NodeFaults {
  const kept = [...faults].flatMap(([id, list]): [string, readonly NodeFault[]][] => {
    const was = before.nodes.find((node) => node.id === id);
    const is = now.nodes.find((node) => node.id === id);
    if (is === undefined) return [];
    const rest = list.filter(({ field }) => {
      const [setting = ''] = field.split('.', 1);
      return isEqual(was?.config[setting], is.config[setting]);
    });
    return rest.length === 0 ? [] : [[id, rest]];
  });
  return new Map(kept);
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
