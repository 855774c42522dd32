import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../api/session/session.ts';
import { type TextKey, t } from '../base/i18n/index.ts';
import type { Command } from '../commands/command.ts';
import type { PreparedObject } from '../content/releases/releases.ts';
import { addToReleaseCommand } from './add-to-release.tsx';
import { type CopyCommands, copyCommands } from './copy-commands.tsx';
import type { Editable, EditorStore } from './editor-store.ts';
import { type OpenObject, useOpenObject } from './open-object.ts';
import type { Preparation } from './preparation.ts';
import { type SaveRequests, saveChanges } from './save.ts';
import { type CopiedValue, openAutosave, useCopy } from './use-copy.ts';

export interface EditorOptions<Value extends Editable> {
  /** Of its drafts; all objects of a kind have one type. */
  readonly kind: string;
  readonly id: number;
  /** As the server has it; undefined until it is loaded. */
  readonly value: Value | undefined;
  /** The command that saves, and the text that names its effect, which may depend on what the server has. */
  readonly save: { readonly id: string; readonly label: TextKey | ((base: Value) => TextKey) };
  /**
   * How the changes are saved; undefined if the user, once asked, would rather not save them now.
   *
   * @param isStrict whether code that cannot run is refused
   */
  requests(
    store: EditorStore<Value>,
    isStrict: boolean,
  ): SaveRequests<Value> | Promise<SaveRequests<Value> | undefined>;
  /** How changes wait, in a working copy or a release; what cannot wait has none. */
  readonly release?: Preparation<Value>;
}

/** Unpublished changes, and what can be done with them. */
export interface Copying<Value extends Editable> extends CopiedValue<Value> {
  readonly commands: CopyCommands;
}

/** An open object and what is done with every one. */
export interface Editor<Value extends Editable> extends StrictSave, Omit<OpenObject<Value>, 'store'> {
  readonly store: EditorStore<Value>;
  /** Saves again what was refused or merged. */
  readonly retry: Command;
  /** The object as releases name it; undefined if it cannot be in one. */
  readonly prepared: PreparedObject | undefined;
  /** What else can be done with the changes. */
  readonly changeCommands: readonly Command[];
  /** Undefined if the editor saves live. */
  readonly copying: Copying<Value> | undefined;
}

const noStore = () => () => undefined;

/** The editor of an object, with its drafts and its save; undefined until the object is loaded. */
export function useEditor<Value extends Editable>({
  kind,
  id,
  value: live,
  save,
  requests,
  release,
}: EditorOptions<Value>): Editor<Value> | undefined {
  const { data: session } = useSession();
  const { value, copied } = useCopy(release, id, live);
  const { store, ...drafts } = useOpenObject<Value>(session?.user?.id ?? 0, kind, id, value);
  const base = useSyncExternalStore(store?.subscribe ?? noStore, () => store?.base);
  const autosave =
    store === undefined || copied === undefined || release === undefined
      ? undefined
      : openAutosave(store, copied.of, release);
  useEffect(() => autosave?.start(), [autosave]);
  if (store === undefined || base === undefined) return undefined;
  const prepared = release === undefined ? undefined : { kind: release.kind, id: base.id };
  if (autosave !== undefined && copied !== undefined && release !== undefined) {
    const commands = copyCommands({ store, copied, autosave, preparation: release, requests });
    return { ...drafts, store, prepared, ...copyEditing(commands), copying: { ...copied, commands } };
  }
  const label = typeof save.label === 'string' ? save.label : save.label(base);
  const saving = strictSave(store, { id: save.id, label }, async (isStrict) => {
    const how = await requests(store, isStrict);
    if (how !== undefined) await saveChanges(store, how);
  });
  return {
    ...drafts,
    store,
    ...saving,
    retry: saving.save,
    prepared,
    changeCommands: [
      ...(release === undefined ? [] : [addToReleaseCommand(store, release)]),
      discardCommand(store),
    ],
    copying: undefined,
  };
}

/** What a user does with changes that wait: they are saved by themselves. */
function copyEditing(
  commands: CopyCommands,
): Pick<Editor<Editable>, 'save' | 'saveAnyway' | 'retry' | 'changeCommands'> {
  const { publish, publishAnyway, keep, compare, discard } = commands;
  return { save: publish, saveAnyway: publishAnyway, retry: keep, changeCommands: [compare, discard] };
}

/** Drops the changes of an editor; undo brings them back. */
function discardCommand<Value extends Editable>(store: EditorStore<Value>): Command {
  return {
    id: 'page.discard',
    label: 'page.discard',
    icon: 'x',
    can: () => store.isChanged,
    run: () => {
      const before = { ...store.changes };
      store.discard();
      return { message: t('page.discarded'), undo: async () => store.setChanges(before) };
    },
  };
}

interface StrictSave {
  readonly save: Command;
  /** For what the server has refused because visitors would see an error. */
  readonly saveAnyway: Command;
}

/**
 * Saving of an object with code: refused if it cannot run, unless that is wanted.
 *
 * @param name of the command, and the text that names its effect
 */
function strictSave<Base extends Editable>(
  store: EditorStore<Base>,
  { id, label }: { readonly id: string; readonly label: TextKey },
  save: (isStrict: boolean) => Promise<unknown>,
): StrictSave {
  return {
    save: {
      id,
      label,
      icon: 'check',
      keys: 'mod+S',
      can: () => store.isChanged && store.state.kind !== 'saving' && store.state.kind !== 'conflict',
      run: async () => void (await save(true)),
    },
    saveAnyway: saveAnywayCommand(() => save(false)),
  };
}

function saveAnywayCommand(save: () => Promise<unknown>): Command {
  return {
    id: 'page.saveAnyway',
    label: 'page.saveAnyway',
    icon: 'warning',
    tone: 'danger',
    run: async () => void (await save()),
  };
}
