import { t } from '../../base/i18n/index.ts';
import { snippetResource } from '../../content/code/code-kinds.ts';
import type { CodeKind, CodeObject } from '../../content/code/code-object.ts';
import type { SaveRequests } from '../../editing/save.ts';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import type { CodeStore } from './code-store.ts';
import { planRename, type RenamePlan, renameSnippet } from './rename-plan.ts';
import { RenameSnippet } from './rename-snippet.tsx';

/** How a snippet or a file is saved; undefined if its new name was not accepted. */
export async function codeRequests(
  kind: CodeKind,
  store: CodeStore,
  isStrict: boolean,
): Promise<SaveRequests<CodeObject> | undefined> {
  const { id } = store.base;
  const plain: SaveRequests<CodeObject> = {
    send: (fields) => kind.resource.update(id, fields, isStrict),
    sendBack: (fields) => kind.resource.update(id, fields, false),
    kind: kind.name,
    load: () => kind.resource.load(id),
  };
  // Templates name snippets; files are named by their numbers.
  if (kind.name !== 'snippet' || store.get('name') === store.base.name) return plain;
  const found = await planRename(id, store.base.name, store.get('name'));
  const plan = found.steps.length === 0 ? found : await askForRename(store);
  return plan === undefined ? undefined : renameRequests(store, plan, plain, isStrict);
}

/** Opens the dialog that renames a snippet everywhere, without other changes. */
export function openRename(store: CodeStore): void {
  openDialog((onClose) => (
    <RenameSnippet
      store={store}
      name={store.base.name}
      isBlocked={store.isChanged}
      rename={async (to, plan) => {
        const { name, updated_at: base_updated_at } = store.base;
        await renameSnippet({ ...store.base, base_updated_at }, to, plan);
        showRenamed(name, to);
      }}
      onClose={onClose}
    />
  ));
}

/** Shows what changes with the name in the editor; undefined if the user would rather not rename. */
function askForRename(store: CodeStore): Promise<RenamePlan | undefined> {
  return new Promise((resolve) => {
    openDialog((onClose) => (
      <RenameSnippet
        store={store}
        name={store.get('name')}
        rename={async (to, plan) => {
          store.set('name', to);
          resolve(plan);
        }}
        onClose={() => {
          resolve(undefined);
          onClose();
        }}
      />
    ));
  });
}

/** Saves the name with all places that name the snippet; taking it back renames them again. */
function renameRequests(
  store: CodeStore,
  plan: RenamePlan,
  plain: SaveRequests<CodeObject>,
  isStrict: boolean,
): SaveRequests<CodeObject> {
  const { id, name: from } = store.base;
  const to = store.get('name');
  return {
    ...plain,
    async send({ base_updated_at, ...changes }) {
      await renameSnippet({ ...store.base, base_updated_at, changes, isStrict }, to, plan);
      showRenamed(from, to);
      return snippetResource.load(id);
    },
    async sendBack({ base_updated_at, ...changes }) {
      const back = await planRename(id, to, from);
      await renameSnippet({ ...store.base, base_updated_at, changes }, from, back);
      return snippetResource.load(id);
    },
  };
}

function showRenamed(from: string, to: string): void {
  showToast({ tone: 'done', message: t('code.renamed', { from, to }) });
}
