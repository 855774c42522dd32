/** The workflows of the demo website. */
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Change } from '../../changes/changes.ts';
import { createObject } from '../../content/kinds/objects.ts';
import type { WorkflowKind } from '../workflows/kind.ts';
import { FlowInput, WorkflowCreate } from '../workflows/model.ts';

/** Fields as in the API; `flow` names a file, and in it so does the `code` of function nodes. */
export const DemoWorkflow = Type.Object({
  ...Type.Omit(WorkflowCreate, ['flow']).properties,
  flow: Type.String(),
});

/** Creates the workflows by the rules of the API. @param read the text of a file */
export async function installWorkflows(
  change: Change,
  kind: WorkflowKind,
  workflows: readonly Static<typeof DemoWorkflow>[],
  read: (file: string) => string,
): Promise<void> {
  for (const { flow: file, ...fields } of workflows) {
    const { nodes, wires = [] } = Value.Parse(FlowInput, JSON.parse(read(file)));
    const withCode = nodes.map((node) => {
      const code = node.type === 'function' ? node.config?.['code'] : undefined;
      return code === undefined ? node : { ...node, config: { ...node.config, code: read(String(code)) } };
    });
    await createObject(change, kind, { ...fields, flow: { nodes: withCode, wires } });
  }
}
