import type { ChangeSet, ChangeSetItem, ItemDiff } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { changeSets, isOpen, publish } from '../../content/releases/releases.ts';
import { confirmFirst } from '../../kit/form/confirm-first.tsx';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { PublishDialog } from '../../kit/releases/publish-dialog.tsx';
import { ScheduleDialog } from '../../kit/releases/schedule-dialog.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { RevertDialog } from './revert-dialog.tsx';

interface ReleaseCommands {
  /** What is published has none. */
  readonly publish: Command | undefined;
  readonly others: readonly Command[];
}

/** What can be done with a release. @param items its objects, with `diff`; undefined until they are known */
export function releaseCommands(
  release: ChangeSet,
  items: readonly ChangeSetItem[] | undefined,
  diff: readonly ItemDiff[] | undefined,
): ReleaseCommands {
  const { id, name, note, state } = release;
  const isReady = () => isOpen(release) && release.items > 0;
  const schedule: Command = {
    id: 'releases.schedule',
    label: 'releases.schedule',
    icon: 'clock',
    can: isReady,
    run: () =>
      openDialog((onClose) => (
        <ScheduleDialog
          name={name}
          schedule={(publish_at) => changeSets.update(id, { publish_at })}
          onClose={onClose}
        />
      )),
  };
  const unschedule: Command = {
    id: 'releases.unschedule',
    label: 'releases.unschedule',
    icon: 'arrow-counter-clockwise',
    run: async () => {
      await changeSets.update(id, { publish_at: null });
      const { publish_at } = release;
      return {
        message: t('releases.unscheduled', { name }),
        undo: () => changeSets.update(id, { publish_at }),
      };
    },
  };
  const rename: Command = {
    id: 'releases.rename',
    label: 'releases.rename',
    icon: 'text-aa',
    can: () => isOpen(release),
    run: () =>
      openDialog((onClose) => (
        <CreateDialog
          title={t('releases.rename')}
          submit={t('releases.renameNow')}
          initial={{ name, note }}
          fields={['name', { name: 'note', label: 'releases.note', isOptional: true }]}
          create={(body) => changeSets.update(id, body)}
          isReady={(body) => body.name.trim() !== ''}
          onClose={onClose}
        />
      )),
  };
  const discard = createDeletion('releases.discard', 'releases.discard', () =>
    confirmFirst({
      title: t('releases.discardTitle', { name }),
      loss: t('releases.discardLoss'),
      submit: t('releases.discardNow'),
      run: async () => {
        await changeSets.remove(id);
        goTo(paths.releases());
      },
    }),
  );
  const putBack: Command = {
    id: 'releases.revert',
    label: 'releases.revert',
    icon: 'arrow-counter-clockwise',
    can: () => release.reverted_by === null && items !== undefined,
    run: () =>
      openDialog((onClose) => <RevertDialog release={release} items={items ?? []} onClose={onClose} />),
  };
  if (state === 'published') return { publish: undefined, others: [putBack] };
  return {
    publish: {
      id: 'releases.publish',
      label: 'releases.publish',
      icon: 'rocket-launch',
      keys: 'mod+Enter',
      can: () => isReady() && items !== undefined && diff !== undefined,
      run: () =>
        openDialog((onClose) => (
          <PublishDialog
            name={name}
            items={items ?? []}
            diff={diff ?? []}
            publish={(resolve) => publish(id, resolve)}
            onClose={onClose}
          />
        )),
    },
    others: [
      state === 'scheduled' ? unschedule : schedule,
      rename,
      { ...discard, can: () => isOpen(release) },
    ],
  };
}
