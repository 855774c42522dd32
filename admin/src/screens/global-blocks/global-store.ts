import type { GlobalBlock } from '../../content/global-blocks.ts';
import type { EditorStore } from '../../editing/editor-store.ts';

export type GlobalStore = EditorStore<GlobalBlock>;
