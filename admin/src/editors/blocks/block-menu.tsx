import { ActionIcon, Menu } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandItems } from '../../commands/command-button.tsx';
import type { Point } from '../../kit/tree/move.ts';
import classes from './block-editor.module.css';

export interface BlockMenuProps {
  readonly at: Point;
  readonly commands: readonly Command[];
  onClose(): void;
}

/** The menu of the chosen blocks, where the pointer was. */
export function BlockMenu({ at, commands, onClose }: BlockMenuProps) {
  return (
    <Menu opened onChange={(isOpen) => !isOpen && onClose()} position="bottom-start">
      <Menu.Target>
        <ActionIcon
          className={classes['menuTarget'] ?? ''}
          style={{ left: at.x, top: at.y }}
          aria-label={t('blocks.more')}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <CommandItems commands={commands} />
      </Menu.Dropdown>
    </Menu>
  );
}
