import type { CodeObject } from '../../content/code/code-object.ts';
import type { EditorStore } from '../../editing/editor-store.ts';

export type CodeStore = EditorStore<CodeObject>;
