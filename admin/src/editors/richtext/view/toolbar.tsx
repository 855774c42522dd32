import { ActionIcon, NativeSelect } from '@mantine/core';
import type { Command } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from 'prosemirror-tables';
import { type KeyboardEvent, memo, type Ref, useState } from 'react';
import { type TextKey, t, useLanguage } from '../../../base/i18n/index.ts';
import { keyNames } from '../../../commands/keys.ts';
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx';
import { Tooltip } from '../../../ui/floating/tooltip.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { IconName } from '../../../ui/icons/icons.ts';
import type { Allowed, RichElement } from '../model/elements.ts';
import { insertTable, setBlock, setClass, toggle, toggleList, toggleQuote } from './commands.ts';
import type { Looks } from './looks.ts';
import classes from './rich-text.module.css';

export interface ToolbarProps {
  readonly allowed: Allowed;
  readonly looks: Looks;
  /** Name of the text. */
  readonly label: string;
  readonly element: Ref<HTMLDivElement>;
  readonly actions: ToolbarActions;
}

export interface ToolbarActions {
  run(command: Command): void;
  openLink(): void;
  openImage(): void;
  showSource(): void;
  /** Back to the text. */
  leave(): void;
}

interface Tool {
  readonly element: RichElement;
  readonly label: TextKey;
  readonly icon: IconName;
  readonly keys?: string;
  readonly isOn?: keyof Looks;
  press(actions: ToolbarActions, looks: Looks): void;
}

const tools: readonly Tool[] = [
  tool('bold', 'richtext.bold', 'text-b', 'bold', toggle('strong'), 'mod+B'),
  tool('italic', 'richtext.italic', 'text-italic', 'italic', toggle('em'), 'mod+I'),
  {
    element: 'link',
    label: 'richtext.link',
    icon: 'link',
    isOn: 'link',
    keys: 'mod+K',
    press: ({ openLink }) => openLink(),
  },
  tool('lists', 'richtext.bullets', 'list-bullets', 'bullets', toggleList('bullet_list'), 'mod+Shift+8'),
  tool('lists', 'richtext.numbers', 'list-numbers', 'numbers', toggleList('ordered_list'), 'mod+Shift+7'),
  tool('quote', 'richtext.quote', 'quotes', 'quote', toggleQuote, 'mod+Shift+9'),
  tool('code', 'richtext.code', 'code', 'code', toggle('code'), 'mod+Shift+C'),
  {
    element: 'code',
    label: 'richtext.codeBlock',
    icon: 'code-block',
    isOn: 'codeBlock',
    press: ({ run }, looks) => run(setBlock(looks.codeBlock ? 'paragraph' : 'code_block')),
  },
  { element: 'image', label: 'richtext.image', icon: 'image', press: ({ openImage }) => openImage() },
];

function tool(
  element: RichElement,
  label: TextKey,
  icon: IconName,
  isOn: keyof Looks,
  command: Command,
  keys: string,
): Tool {
  return { element, label, icon, isOn, keys, press: ({ run }) => run(command) };
}

/** One stop for Tab; arrows go from tool to tool, Escape goes back to the text. */
export const Toolbar = memo(function Toolbar({ allowed, looks, label, element, actions }: ToolbarProps) {
  useLanguage();
  const { run, leave } = actions;
  const [stop, setStop] = useState(0);
  const shown = tools.filter((own) => allowed.elements.has(own.element));
  const hasHeadings = allowed.elements.has('headings');
  const hasTable = allowed.elements.has('table');
  let place = 0;
  const focusable = () => {
    const own = place++;
    return { tabIndex: own === stop ? 0 : -1, onFocus: () => setStop(own) };
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      leave();
      return;
    }
    moveFocus(event);
  };
  return (
    <div
      ref={element}
      className={classes['toolbar']}
      role="toolbar"
      aria-label={t('richtext.toolbar', { name: label })}
      onKeyDown={press}
    >
      {hasHeadings && (
        <NativeSelect
          size="xs"
          aria-label={t('richtext.kind')}
          className={classes['kind'] ?? ''}
          data={[
            { value: '0', label: t('richtext.text') },
            ...[1, 2, 3, 4, 5, 6].map((level) => ({
              value: String(level),
              label: t('richtext.heading', { level }),
            })),
          ]}
          value={String(looks.level)}
          {...focusable()}
          onChange={({ currentTarget: { value } }) =>
            run(value === '0' ? setBlock('paragraph') : setBlock('heading', { level: Number(value) }))
          }
        />
      )}
      {shown.map((own) => (
        <ToolButton key={own.label} tool={own} looks={looks} actions={actions} {...focusable()} />
      ))}
      {hasTable && <TableTool looks={looks} run={run} {...focusable()} />}
      {allowed.classes.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t('richtext.style')}
          className={classes['kind'] ?? ''}
          data={[
            { value: '', label: t('richtext.noStyle') },
            ...allowed.classes.map((own) => ({ value: own.name, label: own.label || own.name })),
          ]}
          value={looks.className}
          {...focusable()}
          onChange={({ currentTarget: { value } }) => {
            const names = allowed.classes.map(({ name }) => name);
            run(setClass(value === '' ? undefined : value, names));
          }}
        />
      )}
      <span className="rest" />
      <Tooltip label={t('richtext.source')}>
        <ActionIcon
          size={28}
          aria-label={t('richtext.source')}
          data-source
          {...focusable()}
          onClick={actions.showSource}
        >
          <Icon name="brackets-angle" />
        </ActionIcon>
      </Tooltip>
    </div>
  );
});

interface Focusable {
  readonly tabIndex: number;
  onFocus(): void;
}

function ToolButton({
  tool: { label, icon, keys, isOn, press },
  looks,
  actions,
  ...focusable
}: Focusable & { readonly tool: Tool; readonly looks: Looks; readonly actions: ToolbarActions }) {
  const isPressed = isOn !== undefined && looks[isOn] === true;
  const hint = keys === undefined ? '' : ` (${keyNames(keys).join('+')})`;
  return (
    <Tooltip label={`${t(label)}${hint}`}>
      <ActionIcon
        size={28}
        aria-label={t(label)}
        {...(isOn === undefined ? {} : { 'aria-pressed': isPressed })}
        {...focusable}
        // The text keeps the focus, and what is chosen in it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => press(actions, looks)}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

const tableCommands: readonly (readonly [label: TextKey, command: Command])[] = [
  ['richtext.rowBelow', addRowAfter],
  ['richtext.columnRight', addColumnAfter],
  ['richtext.deleteRow', deleteRow],
  ['richtext.deleteColumn', deleteColumn],
  ['richtext.deleteTable', deleteTable],
];

/** Makes a table; in one, a menu of what can be done with it. */
function TableTool({
  looks,
  run,
  ...focusable
}: Focusable & Pick<ToolbarProps, 'looks'> & Pick<ToolbarActions, 'run'>) {
  const button = (
    <ActionIcon
      size={28}
      aria-label={t('richtext.table')}
      aria-pressed={looks.table}
      {...focusable}
      onMouseDown={(event) => event.preventDefault()}
      {...(looks.table ? {} : { onClick: () => run(insertTable) })}
    >
      <Icon name="table" />
    </ActionIcon>
  );
  if (!looks.table) return <Tooltip label={t('richtext.table')}>{button}</Tooltip>;
  return (
    <Menu button={button} position="bottom-start">
      {tableCommands.map(([label, command]) => (
        <MenuItem key={label} onClick={() => run(command)}>
          {t(label)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Arrows, Home and End go from tool to tool. A select needs Up and Down for itself. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button, select')];
  const own = items.findIndex((item) => item.matches(':focus'));
  const next = {
    ArrowRight: (own + 1) % items.length,
    ArrowLeft: (own - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (next === undefined || own < 0) return;
  event.preventDefault();
  items[next]?.focus();
}
