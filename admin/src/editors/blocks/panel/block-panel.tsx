import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import type { BlockType } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton, CommandMenu } from '../../../commands/command-button.tsx';
import { globalUsageQuery } from '../../../content/global-blocks.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { formatBlockLabel } from '../model/labels.ts';
import {
  type GlobalReference,
  isReference,
  type List,
  listAt,
  pathTo,
  type TypedBlock,
} from '../model/tree.ts';
import { resetOverrides } from '../state/actions.ts';
import { type BlockCommands, menuCommands } from '../state/commands.ts';
import { type BlockEditing, type ParamFault, type ShownBlock, useEditing } from '../state/editing.ts';
import classes from './block-panel.module.css';
import { ParamFields } from './param-fields.tsx';

export interface BlockPanelProps {
  readonly editing: BlockEditing;
  readonly commands: BlockCommands;
  readonly body: RefObject<HTMLDivElement | null>;
  readonly fault: ParamFault | undefined;
  /** What stands here while no block is chosen. */
  readonly children: ReactNode;
  onAdd(list: List): void;
}

/** The fields of the chosen block. */
export function BlockPanel({ editing, commands, body, fault, children, onAdd }: BlockPanelProps) {
  const { ids, inner } = useEditing(editing, () => editing.selection);
  useEditing(editing, () => editing.facts);
  const last = ids.at(-1);
  // A keystroke changes the block but not its kind, which is all that this draws.
  const kind = useEditing(editing, () => kindOf(editing, last, inner));
  const shown = last === undefined ? undefined : { id: last, inner };
  return (
    <section className="fill surface" aria-label={t('blocks.panel')} data-block-fields>
      <div ref={body} className={classes['body']}>
        {shown === undefined || kind === '' ? (
          children
        ) : ids.length > 1 ? (
          <Several count={ids.length} commands={commands} />
        ) : (
          <OneBlock
            key={`${shown.id} ${shown.inner}`}
            editing={editing}
            commands={commands}
            shown={shown}
            fault={fault?.id === shown.id && fault.inner === shown.inner ? fault : undefined}
            onAdd={onAdd}
          />
        )}
      </div>
      <Crumbs editing={editing} />
    </section>
  );
}

/** What a block is: changes only when something else must be drawn. */
function kindOf(editing: BlockEditing, id: string | undefined, inner: string | undefined): string {
  const block = id === undefined ? undefined : editing.find({ id, inner });
  if (block === undefined) return '';
  return isReference(block) ? `global ${block.global} ${Object.keys(block.overrides ?? {})}` : block.type;
}

function Several({ count, commands }: { readonly count: number; readonly commands: BlockCommands }) {
  return (
    <>
      <h2 className={classes['title']}>{t('blocks.several', { count })}</h2>
      <div className={classes['buttons']}>
        <CommandButton command={commands.duplicate} variant="default" />
        <CommandButton command={commands.makeGlobal} variant="default" />
        <CommandButton command={commands.remove} variant="default" />
      </div>
    </>
  );
}

interface OneBlockProps {
  readonly editing: BlockEditing;
  readonly commands: BlockCommands;
  readonly shown: ShownBlock;
  readonly fault: ParamFault | undefined;
  onAdd(list: List): void;
}

function OneBlock({ editing, commands, shown, fault, onAdd }: OneBlockProps) {
  const block = editing.find(shown);
  if (block === undefined) return null;
  const isGlobal = isReference(block);
  const type = isGlobal ? undefined : editing.facts.types.get(block.type);
  return (
    <>
      <header className={classes['head']} data-global={isGlobal || shown.inner !== undefined || undefined}>
        <h2 className={classes['title']}>{formatBlockLabel(editing.facts, block).type}</h2>
        {shown.inner === undefined && (
          <CommandMenu label={t('blocks.more')} commands={menuCommands(commands, isGlobal)} />
        )}
      </header>
      {shown.inner !== undefined && <InsideGlobal editing={editing} id={shown.id} inner={shown.inner} />}
      {fault !== undefined && fault.param === undefined && <Strip tone="brick">{fault.text}</Strip>}
      {isGlobal && <GlobalFields editing={editing} commands={commands} reference={block} />}
      {!isGlobal && type === undefined && (
        <Strip tone="brick">{t('blocks.unknownType', { type: block.type })}</Strip>
      )}
      {type !== undefined && (
        <>
          {type.description !== '' && type.description !== type.label && (
            <p className="meta line">{type.description}</p>
          )}
          <ParamFields editing={editing} shown={shown} type={type} fault={fault} />
          {shown.inner === undefined && !isGlobal && (
            <Slots editing={editing} block={block} type={type} onAdd={onAdd} />
          )}
        </>
      )}
    </>
  );
}

/** What is changed here counts for this place only; everywhere is changed in the global block itself. */
function InsideGlobal({ editing, id, inner }: { readonly editing: BlockEditing } & Required<ShownBlock>) {
  const reference = editing.find({ id });
  if (reference === undefined || !isReference(reference)) return null;
  const name = editing.facts.globals.get(reference.global)?.name ?? '';
  return (
    <div className={classes['inside']}>
      <Icon name="globe-simple" />
      <span>{t('blocks.insideGlobal', { name })}</span>
      <Link href={`${paths.globalBlock(reference.global)}?b=${inner}`}>{t('blocks.everywhere')}</Link>
    </div>
  );
}

interface GlobalFieldsProps {
  readonly editing: BlockEditing;
  readonly commands: BlockCommands;
  readonly reference: GlobalReference;
}

function GlobalFields({ editing, commands, reference }: GlobalFieldsProps) {
  const { data: usage } = useQuery(globalUsageQuery(reference.global));
  const global = editing.facts.globals.get(reference.global);
  const count = Object.keys(reference.overrides ?? {}).length;
  return (
    <>
      {global === undefined && <Strip tone="brick">{t('blocks.globalMissing')}</Strip>}
      {global !== undefined && global.description !== '' && <p className="line">{global.description}</p>}
      {usage !== undefined && <p className="meta line">{t('blocks.usedIn', { count: usage.length })}</p>}
      <p className="line">{t('blocks.globalHelp')}</p>
      {count > 0 && (
        <div className={classes['inside']}>
          <span>{t('blocks.overridden', { count })}</span>
          <Button
            size="compact-sm"
            variant="subtle"
            color="plum"
            onClick={() => resetOverrides(editing, reference.id)}
          >
            {t('blocks.resetAll')}
          </Button>
        </div>
      )}
      <div className={classes['buttons']}>
        <CommandButton command={commands.openGlobal} variant="default" />
        <CommandButton command={commands.detach} variant="default" />
      </div>
    </>
  );
}

interface SlotsProps {
  readonly editing: BlockEditing;
  readonly block: TypedBlock;
  readonly type: BlockType;
  onAdd(list: List): void;
}

function Slots({ editing, block, type, onAdd }: SlotsProps) {
  const counts = useEditing(editing, () =>
    type.slots.map(({ name }) => listAt(editing.tree, { parent: block.id, slot: name }).length).join(),
  ).split(',');
  if (type.slots.length === 0) return null;
  return (
    <ul className={classes['slots']} aria-label={t('blocks.slots')}>
      {type.slots.map(({ name, label, max }, index) => {
        const count = Number(counts[index]);
        return (
          <li key={name}>
            <span>{label || name}</span>
            <span className="meta">{max > 0 ? `${count} / ${max}` : count}</span>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={max > 0 && count >= max}
              onClick={() => onAdd({ parent: block.id, slot: name })}
            >
              {t('blocks.addTo', { name: label || name })}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

/** Where the chosen block stands; each part chooses the block around it. */
function Crumbs({ editing }: { readonly editing: BlockEditing }) {
  const { ids, inner } = useEditing(editing, () => editing.selection);
  const path = useEditing(editing, () =>
    pathTo(editing.tree, ids.at(-1) ?? '')
      .map(({ id }) => id)
      .join(' '),
  );
  const blocks = path === '' ? [] : pathTo(editing.tree, ids.at(-1) ?? '');
  const innermost = inner === undefined ? undefined : editing.find({ id: ids.at(-1) ?? '', inner });
  return (
    <nav className={classes['crumbs']} aria-label={t('blocks.path')}>
      <button type="button" onClick={() => editing.select({ ids: [] })}>
        {t('blocks.page')}
      </button>
      {blocks.map((block) => (
        <button key={block.id} type="button" onClick={() => editing.select({ ids: [block.id] })}>
          {formatBlockLabel(editing.facts, block).type}
        </button>
      ))}
      {innermost !== undefined && <span>{formatBlockLabel(editing.facts, innermost).type}</span>}
    </nav>
  );
}
