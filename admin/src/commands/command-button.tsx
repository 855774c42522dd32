import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import type { ApiCall } from '../api/api-call.ts';
import { t } from '../base/i18n/index.ts';
import { Menu, MenuItem } from '../ui/floating/menu.tsx';
import { Tooltip } from '../ui/floating/tooltip.tsx';
import { Icon } from '../ui/icons/icon.tsx';
import { apiCallCommand, type PlannedCall } from './api-call.ts';
import type { Command } from './command.ts';
import { KeyHint } from './key-hint.tsx';
import { runCommand } from './run.ts';

export interface CommandButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  readonly command: Command;
  readonly withIcon?: boolean;
}

/** A button with the name of a command; a tooltip names its keys. */
export function CommandButton({ command, withIcon = false, ...rest }: CommandButtonProps) {
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    await runCommand(command);
    setRunning(false);
  };
  const button = (
    <Button
      {...rest}
      {...(command.tone === 'danger' ? { color: 'brick' } : {})}
      {...(withIcon ? { leftSection: <Icon name={command.icon} /> } : {})}
      disabled={command.can?.() === false}
      loading={isRunning}
      onClick={run}
    >
      {t(command.label)}
    </Button>
  );
  if (command.keys === undefined) return button;
  return <Tooltip label={<KeyHint keys={command.keys} />}>{button}</Tooltip>;
}

/** A button with an icon alone. */
export function CommandIconButton({ command }: { readonly command: Command }) {
  const label = t(command.label);
  return (
    <Tooltip
      label={
        <>
          {label} {command.keys !== undefined && <KeyHint keys={command.keys} />}
        </>
      }
    >
      <ActionIcon aria-label={label} disabled={command.can?.() === false} onClick={() => runCommand(command)}>
        <Icon name={command.icon} size={20} />
      </ActionIcon>
    </Tooltip>
  );
}

function ofSave(call: ApiCall | undefined): PlannedCall | undefined {
  return call === undefined ? undefined : { label: 'apiCall.ofSave', call };
}

export interface CommandMenuProps {
  readonly label: string;
  readonly commands: readonly Command[];
  /** What a save would send now; for the menu of an editor. */
  call?(): ApiCall | undefined;
}

/** A "..." menu of commands. Commands that cannot be done now are grey. The last one shows calls of the API. */
export function CommandMenu({ label, commands, call }: CommandMenuProps) {
  return (
    <Menu
      position="bottom-end"
      button={
        <ActionIcon aria-label={label}>
          <Icon name="dots-three" size={20} />
        </ActionIcon>
      }
    >
      <CommandItems commands={[...commands, apiCallCommand(() => ofSave(call?.()))]} />
    </Menu>
  );
}

export function CommandItems({ commands }: { readonly commands: readonly Command[] }) {
  const first = commands.find(canRun);
  return commands.map((command) => (
    <MenuItem
      key={command.id}
      // Mantine would give the focus to the first item, which cannot take it while it is grey.
      data-autofocus={command === first || undefined}
      leftSection={<Icon name={command.icon} />}
      rightSection={<MenuKeys command={command} />}
      disabled={!canRun(command)}
      {...(command.tone === 'danger' ? { color: 'brick' } : {})}
      onClick={() => void runCommand(command)}
    >
      {t(command.label)}
    </MenuItem>
  ));
}

function canRun(command: Command): boolean {
  return command.can?.() !== false;
}

function MenuKeys({ command: { keys, localKeys } }: { readonly command: Command }) {
  const shown = keys ?? localKeys;
  return shown === undefined ? null : <KeyHint keys={shown} />;
}
