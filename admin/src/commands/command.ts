import type { TextKey } from '../base/i18n/index.ts';
import type { IconName } from '../ui/icons/icons.ts';

/** What a command has done, for the message after it. */
export interface CommandResult {
  readonly message: string;
  /** Takes it back, where that is possible. */
  undo?(): Promise<unknown>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: many commands only open something
type Result = CommandResult | undefined | void;

/**
 * Something that a user can do. Buttons, menus, keys and the palette all use the same object, so that they do
 * the same and have the same name.
 */
export interface Command {
  readonly id: string;
  readonly label: TextKey;
  readonly icon: IconName;
  /** Keys such as `mod+Enter`; `mod` is Ctrl, on a Mac Cmd. */
  readonly keys?: string;
  /** Keys that only a part of the screen has, while it has the focus. Menus show them. */
  readonly localKeys?: string;
  readonly tone?: 'danger';
  /** Whether it can be done now. Default: yes. */
  can?(): boolean;
  run(): Result | Promise<Result>;
}

/** A command that deletes something. */
export function createDeletion(id: string, label: TextKey, run: Command['run']): Command {
  return { id, label, icon: 'trash', tone: 'danger', run };
}
