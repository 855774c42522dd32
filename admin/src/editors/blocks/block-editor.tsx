import { ActionIcon, Menu, Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CommandIconButton, CommandItems } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import type { DropOutside, Point } from '../../kit/tree/move.ts';
import type { TreeControl } from '../../kit/tree/tree.tsx';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useIsTight } from '../../ui/layout/use-is-tight.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import classes from './block-editor.module.css';
import { BlockCanvas } from './canvas/block-canvas.tsx';
import { InsertDialog } from './dialogs/insert-dialog.tsx';
import { MakeGlobal } from './dialogs/make-global.tsx';
import { isReference, type List, listAt, type Place } from './model/tree.ts';
import { Outline } from './outline/outline.tsx';
import { BlockPanel } from './panel/block-panel.tsx';
import { removeChosen } from './state/actions.ts';
import { blockCommands, copyInEvent, menuCommands, pasteText } from './state/commands.ts';
import { type BlockEditing, type ParamFault, useEditing } from './state/editing.ts';
import type { PreviewPlan } from './state/preview-plan.ts';

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
  /** The page does not print the tree. */
  onUnprinted?(): void;
}

/** Outline, page and panel of one block tree. */
export function BlockEditor(props: BlockEditorProps) {
  const { editing, plan, title, fault, children, foreign, onUnprinted } = props;
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place>();
  const [menuAt, setMenuAt] = useState<Point>();
  const [isMakingGlobal, setMakingGlobal] = useState(false);
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
  const commands = blockCommands(editing, {
    insertAt: setPlace,
    startMove: () => outline.current?.lift(),
    makeGlobal: () => setMakingGlobal(true),
  });
  useCommands(Object.values(commands));
  const addTo = (list: List) => setPlace({ ...list, index: listAt(editing.tree, list).length });
  useFault(editing, fault);
  useClipboard(editing);
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
        parts={{ insertAt: setPlace, openMenu: setMenuAt, focusOutline, focusField, showForeign: setForeign }}
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
      <Panes {...parts} />
      {place !== undefined && (
        <InsertDialog
          editing={editing}
          place={place}
          onClose={(isAdded) => {
            setPlace(undefined);
            if (isAdded) setTimeout(focusField);
            else setTimeout(focusOutline);
          }}
        />
      )}
      {isMakingGlobal && <MakeGlobal editing={editing} onClose={() => setMakingGlobal(false)} />}
      {menuAt !== undefined && (
        <Menu opened onChange={(isOpen) => !isOpen && setMenuAt(undefined)} position="bottom-start">
          <Menu.Target>
            <ActionIcon
              className={classes['menuTarget'] ?? ''}
              style={{ left: menuAt.x, top: menuAt.y }}
              aria-label={t('blocks.more')}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <CommandItems commands={menuCommands(commands, isGlobal)} />
          </Menu.Dropdown>
        </Menu>
      )}
      <div className="visually-hidden" aria-live="assertive">
        {announcement}
      </div>
    </div>
  );
}

type Parts = Readonly<Record<'outline' | 'canvas' | 'panel', ReactNode>>;

/** Beside each other, or one at a time where there is no room. */
function Panes({ outline, canvas, panel }: Parts) {
  const { t } = useTranslation();
  const isTight = useIsTight();
  const [shown, setShown] = useLocalStorage({ key: 'ic-block-pane', defaultValue: 'canvas' });
  if (isTight)
    return (
      <Tabs
        value={shown}
        onChange={(value) => setShown(value ?? 'canvas')}
        className={classes['stacked'] ?? ''}
        keepMounted={false}
      >
        <Tabs.List grow>
          <Tabs.Tab value="outline">{t('blocks.outline')}</Tabs.Tab>
          <Tabs.Tab value="canvas">{t('blocks.canvas')}</Tabs.Tab>
          <Tabs.Tab value="panel">{t('blocks.panel')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="outline" className={classes['pane'] ?? ''}>
          {outline}
        </Tabs.Panel>
        <Tabs.Panel value="canvas" className={classes['pane'] ?? ''}>
          {canvas}
        </Tabs.Panel>
        <Tabs.Panel value="panel" className={classes['pane'] ?? ''}>
          {panel}
        </Tabs.Panel>
      </Tabs>
    );
  return (
    <SplitPane
      id="block-outline"
      label={t('blocks.outlineWidth')}
      initial={240}
      min={160}
      max={480}
      first={<div className={classes['pane']}>{outline}</div>}
    >
      <SplitPane
        id="block-panel"
        label={t('blocks.panelWidth')}
        initial={300}
        min={240}
        max={640}
        first={canvas}
        restMin={240}
        isEndSized
      >
        {panel}
      </SplitPane>
    </SplitPane>
  );
}

/** Puts the focus on the input of a parameter, or on the first one. */
function focusParam(body: HTMLElement | null, name: string | undefined): void {
  const selector = name === undefined ? '[data-param]' : `[data-param="${CSS.escape(name)}"]`;
  const field = body?.querySelector(selector);
  field?.scrollIntoView({ block: 'nearest' });
  const input = field?.querySelector('input, textarea, [contenteditable], button');
  if (input instanceof HTMLElement) input.focus();
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

/** Copy, cut and paste of blocks, wherever no text has the focus. */
function useClipboard(editing: BlockEditing): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      if (isInText() || !copyInEvent(editing, event.clipboardData)) return;
      event.preventDefault();
      if (event.type === 'cut') removeChosen(editing);
    };
    const paste = (event: ClipboardEvent) => {
      if (isInText()) return;
      if (pasteText(editing, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [editing]);
}

function isInText(): boolean {
  const active = document.activeElement;
  const isText = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  return isText || (active instanceof HTMLElement && active.isContentEditable);
}
