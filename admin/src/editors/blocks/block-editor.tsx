import { ActionIcon, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandIconButton, CommandItems } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import type { DropOutside, Point } from '../../kit/tree/move.ts';
import type { TreeControl } from '../../kit/tree/tree.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { focusParam } from '../fields/focus-param.ts';
import classes from './block-editor.module.css';
import { BlockCanvas } from './canvas/block-canvas.tsx';
import { InsertDialog } from './dialogs/insert-dialog.tsx';
import { MakeGlobal } from './dialogs/make-global.tsx';
import { isReference, type List, listAt, type Place } from './model/tree.ts';
import { Outline } from './outline/outline.tsx';
import { BlockPanel } from './panel/block-panel.tsx';
import { blockCommands, menuCommands } from './state/commands.ts';
import { type BlockEditing, type ParamFault, useEditing } from './state/editing.ts';
import type { PreviewPlan } from './state/preview-plan.ts';
import { useBlockClipboard } from './state/use-block-clipboard.ts';

export interface BlockEditorProps {
  readonly editing: BlockEditing;
  readonly plan: PreviewPlan;
  /** Name of the object that has the tree. */
  readonly title: string;
  /** What the server refused at the last save. */
  readonly fault: ParamFault | undefined;
  /** What the panel shows while no block is chosen. */
  readonly children: ReactNode;
  /** A link to where blocks come from that are shown but do not belong to this tree. */
  foreign?(origin: string): ReactNode;
  /** Words were clicked that `regions` of the plan names. */
  onPickRegion?(name: string): void;
  /** The page does not print the tree. */
  onUnprinted?(): void;
}

/** Outline, page and panel of one block tree. */
export function BlockEditor(props: BlockEditorProps) {
  const { editing, plan, title, fault, children, foreign, onPickRegion, onUnprinted } = props;
  const [menuAt, setMenuAt] = useState<Point>();
  const [foreignOrigin, setForeign] = useState<string>();
  const outline = useRef<TreeControl>(null);
  const drop = useRef<DropOutside>(null);
  const panelBody = useRef<HTMLDivElement>(null);
  // Commands can or cannot be done depending on these.
  useEditing(editing, () => `${editing.canUndo} ${editing.canRedo} ${editing.selection.ids.length}`);
  const isGlobal = useEditing(editing, () => editing.chosen().some(isReference));
  const announcement = useEditing(editing, () => editing.announcement);
  const focusOutline = () => outline.current?.focus();
  const focusField = () =>
    requestAnimationFrame(() => focusParam(panelBody.current, editing.selection.field));
  const insertAt = (place: Place) =>
    openDialog((onClose) => (
      <InsertDialog
        editing={editing}
        place={place}
        onClose={(isAdded) => {
          onClose();
          setTimeout(isAdded ? focusField : focusOutline);
        }}
      />
    ));
  const commands = blockCommands(editing, {
    insertAt,
    startMove: () => outline.current?.lift(),
    makeGlobal: () => openDialog((onClose) => <MakeGlobal editing={editing} onClose={onClose} />),
  });
  useCommands(Object.values(commands));
  const addTo = (list: List) => insertAt({ ...list, index: listAt(editing.tree, list).length });
  useFault(editing, fault);
  useBlockClipboard(editing);
  const parts = {
    outline: (
      <Outline
        editing={editing}
        commands={commands}
        control={outline}
        page={drop}
        faulty={fault?.id}
        onAdd={addTo}
        onEnter={focusField}
        onMenu={setMenuAt}
      />
    ),
    canvas: (
      <BlockCanvas
        editing={editing}
        plan={plan}
        title={title}
        onUnprinted={onUnprinted}
        drop={drop}
        parts={{
          insertAt,
          openMenu: setMenuAt,
          focusOutline,
          focusField,
          showForeign: setForeign,
          pickRegion: (name) => onPickRegion?.(name),
        }}
        actions={
          <>
            <CommandIconButton command={commands.undo} />
            <CommandIconButton command={commands.redo} />
            <CommandIconButton command={commands.insert} />
          </>
        }
      />
    ),
    panel: (
      <BlockPanel editing={editing} commands={commands} body={panelBody} fault={fault} onAdd={addTo}>
        {children}
      </BlockPanel>
    ),
  };
  return (
    <div className={classes['editor']} data-block-editor>
      {foreignOrigin !== undefined && foreign !== undefined && (
        <Strip tone="slate">
          {t('blocks.foreign')} {foreign(foreignOrigin)}
        </Strip>
      )}
      <BlockPanes {...parts} />
      {menuAt !== undefined && (
        <BlockMenu
          at={menuAt}
          commands={menuCommands(commands, isGlobal)}
          onClose={() => setMenuAt(undefined)}
        />
      )}
      <div className="visually-hidden" aria-live="assertive">
        {announcement}
      </div>
    </div>
  );
}

/** Shows the block that the server has refused. */
function useFault(editing: BlockEditing, fault: ParamFault | undefined): void {
  const shown = useRef<ParamFault>(undefined);
  useEffect(() => {
    if (fault === undefined || fault === shown.current) return;
    shown.current = fault;
    editing.select({ ids: [fault.id], inner: fault.inner, field: fault.param });
  }, [editing, fault]);
}

interface BlockMenuProps {
  readonly at: Point;
  readonly commands: readonly Command[];
  onClose(): void;
}

/** The menu of the chosen blocks, where the pointer was. */
function BlockMenu({ at, commands, onClose }: BlockMenuProps) {
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

type Parts = Readonly<Record<'outline' | 'canvas' | 'panel', ReactNode>>;

/** Beside each other, or one at a time where there is no room. */
function BlockPanes({ outline, canvas, panel }: Parts) {
  const [shown, setShown] = useLocalStorage<keyof Parts>({ key: 'ic-block-pane', defaultValue: 'canvas' });
  const tabs = (
    <TabPanes
      isGrown
      value={shown}
      tabs={[
        { name: 'outline', label: t('blocks.outline'), content: outline },
        { name: 'canvas', label: t('blocks.canvas'), content: canvas },
        { name: 'panel', label: t('blocks.panel'), content: panel },
      ]}
      onChange={setShown}
    />
  );
  return (
    <SplitPane
      id="block-outline"
      label={t('blocks.outlineWidth')}
      widths={[160, 240, 480]}
      first={<div className="fill surface">{outline}</div>}
      narrow={tabs}
    >
      <SplitPane
        id="block-panel"
        label={t('blocks.panelWidth')}
        widths={[240, 300, 640]}
        first={canvas}
        restMin={240}
      >
        {panel}
      </SplitPane>
    </SplitPane>
  );
}
