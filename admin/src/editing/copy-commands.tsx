import { ApiFailure } from '../api/failure.ts';
import { queryClient } from '../api/query-client.ts';
import { t } from '../base/i18n/index.ts';
import { paths } from '../base/router/paths.ts';
import { type Command, type CommandResult, createDeletion } from '../commands/command.ts';
import {
  type CopiedObject,
  type Copy,
  copyQuery,
  discardCopy,
  forgetCopy,
  publishCopy,
} from '../content/releases/copies.ts';
import { addToRelease, changeSets, diffQuery, requestReview, revert } from '../content/releases/releases.ts';
import { confirmFirst } from '../kit/form/confirm-first.tsx';
import { DifferencesDialog } from '../kit/releases/differences-dialog.tsx';
import { PublishDialog } from '../kit/releases/publish-dialog.tsx';
import { ScheduleDialog } from '../kit/releases/schedule-dialog.tsx';
import { openDialog } from '../ui/floating/dialogs.ts';
import { showToast } from '../ui/messages/toasts.ts';
import { AddToRelease } from './add-to-release.tsx';
import type { Autosave } from './autosave.ts';
import { noteSave } from './breaking-saves.ts';
import { type Editable, EditorStore } from './editor-store.ts';
import { type Fields, isEqual } from './merge/fields.ts';
import { type Preparation, pickCopied, pickLiveChanges } from './preparation.ts';
import { type SaveRequests, saveChanges } from './save.ts';
import type { CopiedValue } from './use-copy.ts';

/** An editor whose changes wait. */
export interface CopyDeps<Value extends Editable> {
  readonly store: EditorStore<Value>;
  readonly copied: CopiedValue<Value>;
  readonly autosave: Autosave<Value>;
  readonly preparation: Preparation<Value>;
  /** How fields are saved that cannot wait. */
  requests(
    store: EditorStore<Value>,
    isStrict: boolean,
  ): SaveRequests<Value> | Promise<SaveRequests<Value> | undefined>;
}

/** What can be done with unpublished changes. */
export interface CopyCommands {
  /** Saves what was typed now instead of within a second. */
  readonly keep: Command;
  readonly publish: Command;
  readonly publishAnyway: Command;
  readonly compare: Command;
  readonly discard: Command;
  /** Other ways to make the changes live. */
  readonly ways: readonly Command[];
}

export function copyCommands<Value extends Editable>(deps: CopyDeps<Value>): CopyCommands {
  const { store, copied, autosave, preparation } = deps;
  const { copy, mayPublish } = copied;
  const isIdle = () => store.state.kind !== 'conflict' && store.state.kind !== 'gone';
  const hasChanges = () => isIdle() && (copy !== null || store.isChanged);
  const first = preparation.firstPublication?.(store.base);
  const publish: Command = {
    id: 'copies.publish',
    label: 'copies.publish',
    icon: 'rocket-launch',
    keys: 'mod+Enter',
    can: () => (first === undefined ? hasChanges() : isIdle()),
    run: () => publishChanges(deps, true, first),
  };
  const publishDraft: Command = {
    id: 'copies.publishDraft',
    label: 'copies.publishDraft',
    icon: 'check',
    can: hasChanges,
    run: () => publishChanges(deps, true),
  };
  const review: Command = {
    id: 'copies.review',
    label: 'copies.review',
    icon: 'eye',
    can: hasChanges,
    run: () => askForReview(deps),
  };
  const schedule: Command = {
    id: 'releases.schedule',
    label: 'releases.schedule',
    icon: 'clock',
    can: hasChanges,
    run: () => openSchedule(deps),
  };
  const add: Command = {
    id: 'releases.add',
    label: 'releases.add',
    icon: 'stack',
    can: hasChanges,
    run: () => openMove(deps),
  };
  return {
    keep: {
      id: 'copies.keep',
      label: 'copies.keep',
      icon: 'check',
      keys: 'mod+S',
      can: () => isIdle() && store.isChanged,
      run: async () => void (await autosave.flush()),
    },
    publish: mayPublish ? publish : review,
    publishAnyway: {
      id: 'page.saveAnyway',
      label: 'copies.publishAnyway',
      icon: 'warning',
      tone: 'danger',
      run: () => publishChanges(deps, false, first),
    },
    ways: mayPublish ? [...(first === undefined ? [] : [publishDraft]), add, schedule, review] : [add],
    compare: {
      id: 'copies.compare',
      label: 'copies.compare',
      icon: 'columns',
      can: hasChanges,
      run: () => compareWithLive(deps),
    },
    discard: {
      ...createDeletion('page.discard', 'copies.discard', () => askToDiscard(deps)),
      can: hasChanges,
    },
  };
}

function findCopy(of: CopiedObject): Copy | null {
  return queryClient.getQueryData(copyQuery(of).queryKey) ?? null;
}

/** The title of the object, as far as the copy knows it. */
function nameOf({ of }: CopiedValue<Editable>): string {
  return findCopy(of)?.item?.title || `${of.id}`;
}

/**
 * Publishes what has changed, and puts more into it.
 *
 * @param isStrict whether code that cannot run is refused
 * @param more fields besides
 */
async function publishChanges<Value extends Editable>(
  deps: CopyDeps<Value>,
  isStrict: boolean,
  more: Fields = {},
): Promise<CommandResult | undefined> {
  const { store, copied, autosave } = deps;
  const { of } = copied;
  const whole = () => ({ ...(isStrict ? pickCopied(store, findCopy(of)?.item) : {}), ...more });
  if (!(await autosave.flush(isStrict, whole)) || !(await saveLive(deps, isStrict))) return undefined;
  const copy = findCopy(of);
  if (copy === null || copy.changeSet === null) return undefined;
  const name = nameOf(copied);
  if ((copy.item?.conflicts.length ?? 0) > 0) {
    await askWhatCounts(of, copy, name);
    return undefined;
  }
  try {
    return await publishNow(of, name);
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'changeset.conflict')
      await askWhatCounts(of, copy, name);
    else store.setState({ kind: 'failed', error });
    return undefined;
  }
}

async function publishNow(
  of: CopiedObject,
  name: string,
  resolve?: Parameters<typeof publishCopy>[1],
): Promise<CommandResult> {
  const set = await publishCopy(of, resolve);
  const undo = () => revert(set);
  noteSave({ kind: of.kind, id: of.id, undo: async () => void (await undo()) });
  await forgetCopy(of);
  return { message: t('copies.published', { name }), undo };
}

/** Shows each field that was changed live too. */
async function askWhatCounts(of: CopiedObject, { item, changeSet }: Copy, name: string): Promise<void> {
  if (item === null || changeSet === null) return;
  const diff = await queryClient.fetchQuery(diffQuery(changeSet));
  openDialog((onClose) => (
    <PublishDialog
      name={name}
      items={[item]}
      diff={diff}
      publish={(resolve) => publishNow(of, name, resolve)}
      onClose={onClose}
    />
  ));
}

/** Saves the fields that cannot wait. @returns whether there is none left */
async function saveLive<Value extends Editable>(
  { store, copied, preparation, requests }: CopyDeps<Value>,
  isStrict: boolean,
): Promise<boolean> {
  const fields = pickLiveChanges(store, preparation);
  if (Object.keys(fields).length === 0) return true;
  const liveStore = new EditorStore(copied.live);
  liveStore.setChanges(fields);
  const how = await requests(liveStore, isStrict);
  if (how === undefined) return false;
  if (await saveChanges(liveStore, how)) {
    const left = Object.entries(store.changes).filter(([name, value]) => !isEqual(value, fields[name]));
    store.take({ ...store.base, ...pick(liveStore.base, Object.keys(fields)) }, Object.fromEntries(left));
    return true;
  }
  store.setState(liveStore.state);
  return false;
}

function pick<Value extends object>(value: Value, names: readonly string[]): Partial<Value> {
  // Type boundary: some of its own fields.
  return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name)])) as Partial<Value>;
}

/** Moves the unpublished changes into a release, so that they are in one place only. */
async function moveTo<Value extends Editable>(release: number, deps: CopyDeps<Value>): Promise<void> {
  const { store, copied, autosave, preparation } = deps;
  const { of, live } = copied;
  if (!(await autosave.flush())) throw new Error(t('save.failed'));
  const item = findCopy(of)?.item;
  if (item === null || item === undefined) return;
  const fields = pickCopied(store, item);
  const body = preparation.toBody?.(live, fields) ?? fields;
  // What was changed live without a conflict stays as it is there.
  const base_updated_at = item.conflicts.length === 0 ? live.updated_at : item.base_updated_at;
  await addToRelease(release, of, { ...body, base_updated_at });
  await discardCopy(of);
}

function openMove<Value extends Editable>(deps: CopyDeps<Value>): void {
  openDialog((onClose) => (
    <AddToRelease
      add={async ({ id, name }) => {
        await moveTo(id, deps);
        showToast({ tone: 'done', message: t('releases.added', { name }), show: paths.release(id) });
      }}
      onClose={onClose}
    />
  ));
}

/** Asks those who may publish to look. */
async function askForReview<Value extends Editable>({
  copied,
  autosave,
}: CopyDeps<Value>): Promise<CommandResult | undefined> {
  if (!(await autosave.flush())) return undefined;
  const changeSet = findCopy(copied.of)?.changeSet;
  if (changeSet === null || changeSet === undefined) return undefined;
  await requestReview(changeSet);
  return { message: t('copies.reviewAsked', { name: nameOf(copied) }) };
}

function openSchedule<Value extends Editable>(deps: CopyDeps<Value>): void {
  openDialog((onClose) => (
    <ScheduleDialog
      name={nameOf(deps.copied)}
      schedule={async (publish_at) => {
        const { id } = await changeSets.create({ name: nameOf(deps.copied) });
        await moveTo(id, deps);
        await changeSets.update(id, { publish_at });
      }}
      onClose={onClose}
    />
  ));
}

async function compareWithLive<Value extends Editable>({ copied, autosave }: CopyDeps<Value>): Promise<void> {
  await autosave.flush();
  const changeSet = findCopy(copied.of)?.changeSet;
  if (changeSet === null || changeSet === undefined) return;
  openDialog((onClose) => (
    <DifferencesDialog changeSet={changeSet} name={nameOf(copied)} onClose={onClose} />
  ));
}

function askToDiscard<Value extends Editable>({ store, copied, autosave }: CopyDeps<Value>): void {
  const { of } = copied;
  confirmFirst({
    title: t('copies.discardTitle'),
    loss: t('copies.discardLoss'),
    submit: t('copies.discardNow'),
    run: async () => {
      store.discard();
      await autosave.flush();
      await discardCopy(of);
    },
  });
}
