import type { EditorStore } from '../../../editing/editor-store.ts';
import type { FlowNode } from './queries.ts';

/** A custom node in its editor. */
export type FlowNodeStore = EditorStore<FlowNode>;
