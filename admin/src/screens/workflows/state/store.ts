import type { Warning } from '../../../api/generated/schema.ts';
import type { Flow } from '../../../content/flow.ts';
import type { Workflow } from '../../../content/workflows.ts';
import type { EditorStore } from '../../../editing/editor-store.ts';
import { placeNodes } from '../model/layout.ts';

/** A workflow in the editor: without what its runs change. */
export interface EditedWorkflow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly flow: Flow;
  readonly updated_at: number;
  readonly warnings?: readonly Warning[];
}

export type WorkflowStore = EditorStore<EditedWorkflow>;

export function toEditedWorkflow(
  workflow: Workflow & { readonly warnings?: readonly Warning[] },
): EditedWorkflow {
  const { id, name, description, enabled, flow, updated_at, warnings } = workflow;
  return {
    id,
    name,
    description,
    enabled,
    flow: placeNodes(flow),
    updated_at,
    ...(warnings === undefined ? {} : { warnings }),
  };
}
