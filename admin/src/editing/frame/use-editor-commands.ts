import type { Command } from '../../commands/command.ts';
import { useCommands } from '../../commands/registry.ts';
import type { Editable } from '../editor-store.ts';
import type { Editor } from '../use-editor.ts';

/** Keys and palette know what can be done in an editor. */
export function useEditorCommands<Value extends Editable>(
  { save, changeCommands, copying }: Editor<Value>,
  more: readonly Command[] = [],
): void {
  const waiting = copying === undefined ? [] : [copying.commands.keep, ...copying.commands.ways];
  useCommands([save, ...waiting, ...changeCommands, ...more]);
}
