import { text } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { deleteLater } from '../../../commands/delayed.ts';
import { workflows } from '../../../content/workflows.ts';
import { discardCommand } from '../../../editing/discard.ts';
import { saveChanges } from '../../../editing/save.ts';
import { mergeFlows } from '../model/merge.ts';
import { type EditedWorkflow, editedOf, type WorkflowStore } from '../state/store.ts';

/** What can be done with a workflow in the editor. @param actions of the screen */
export function editorCommands(store: WorkflowStore, actions: { run(): Promise<void> }) {
  const { id, name, enabled } = store.base;
  return {
    save: {
      id: 'workflow.save',
      // Saving an active workflow changes at once what it does.
      label: enabled ? 'workflows.saveActive' : 'workflows.save',
      icon: 'check',
      keys: 'mod+S',
      can: () => store.isChanged && store.state.kind !== 'saving',
      run: () => save(store),
    },
    run: {
      id: 'workflow.run',
      label: 'workflows.run',
      icon: 'play',
      keys: 'mod+Shift+Enter',
      run: () => actions.run(),
    },
    discard: discardCommand(store),
    remove: {
      id: 'workflow.delete',
      label: 'workflows.delete',
      icon: 'trash',
      tone: 'danger',
      run: () => {
        goTo(paths.workflows());
        return deleteLater(`workflow ${id}`, text('code.deleted', { name }), () => workflows.remove(id));
      },
    },
  } as const satisfies Readonly<Record<string, Command>>;
}

async function save(store: WorkflowStore): Promise<void> {
  const { id } = store.base;
  await saveChanges<EditedWorkflow>(store, {
    send: async (fields) => editedOf(await workflows.update(id, fields)),
    load: async () => {
      const theirs = editedOf(await workflows.load(id));
      takeOverFlow(store, theirs);
      return theirs;
    },
  });
}

/** Changes of different nodes are no conflict: mine are put into their flow before the rest is asked. */
function takeOverFlow(store: WorkflowStore, theirs: EditedWorkflow): void {
  const merged = mergeFlows(store.base.flow, store.get('flow'), theirs.flow);
  if (merged === undefined || store.changes.flow === undefined) return;
  store.rebase({ ...store.base, flow: theirs.flow });
  store.set('flow', merged);
}
