import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { t } from '../../base/i18n/index.ts';
import { CommandButton, CommandItems } from '../../commands/command-button.tsx';
import { Menu } from '../../ui/floating/menu.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { type Editable, useIsChanged } from '../editor-store.ts';
import type { Editor } from '../use-editor.ts';

interface PublishButtonProps<Value extends Editable> {
  readonly editor: Pick<Editor<Value>, 'store' | 'save' | 'copying'>;
  readonly size?: 'compact-sm';
}

/** The save of an editor; for changes that wait a split button: publish now, or in another way. */
export function PublishButton<Value extends Editable>({ editor, ...look }: PublishButtonProps<Value>) {
  const { store, save, copying } = editor;
  // What can be done depends on these.
  useIsChanged(store);
  useSyncExternalStore(store.subscribe, () => store.state.kind);
  const variant = look.size === undefined ? {} : { variant: 'default' };
  if (copying === undefined) return <CommandButton command={save} {...variant} {...look} />;
  return (
    <Button.Group>
      <CommandButton command={save} {...variant} {...look} />
      <Menu
        position="bottom-end"
        button={
          <Button {...variant} {...look} px={8} aria-label={t('copies.moreWays')}>
            <Icon name="caret-down" />
          </Button>
        }
      >
        <CommandItems commands={copying.commands.ways} />
      </Menu>
    </Button.Group>
  );
}
