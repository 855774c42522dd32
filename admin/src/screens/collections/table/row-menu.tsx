import { Menu } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { apiCallCommand } from '../../../commands/api-call.ts';
import type { Command } from '../../../commands/command.ts';
import { CommandItems } from '../../../commands/command-button.tsx';
import classes from './entry-table.module.css';

export interface RowMenuState {
  /** The button that has opened it, which gets the focus back. */
  readonly button: HTMLElement;
  readonly commands: readonly Command[];
}

export interface RowMenuProps extends RowMenuState {
  onClose(): void;
}

/** The menu of a row. The table has one for all rows, because a menu costs more to draw than the rest of a row. */
export function RowMenu({ button, commands, onClose }: RowMenuProps) {
  const { right, bottom } = button.getBoundingClientRect();
  return (
    <Menu
      opened
      position="bottom-end"
      onClose={() => {
        onClose();
        button.focus();
      }}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes['anchor']}
          style={{ left: right - 1, top: bottom }}
          aria-label={t('actions.more')}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <CommandItems commands={[...commands, apiCallCommand(undefined)]} />
      </Menu.Dropdown>
    </Menu>
  );
}
