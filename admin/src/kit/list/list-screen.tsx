import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { findText, type TextKey, t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { useDeleted } from '../../commands/delayed.ts';
import { useCommands } from '../../commands/registry.ts';
import { useDraftIds } from '../../content/draft-names.ts';
import { useMarks } from '../../content/releases/marks.ts';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { deletionKey } from '../delete/delete-command.tsx';
import { CreateDialog, type CreateForm } from '../form/create-dialog.tsx';
import type { GroupWith } from '../form/form-texts.ts';
import { ListAndDetail } from './list-and-detail.tsx';
import { ListEntry, ListTag } from './list-entry.tsx';
import { ListPane } from './list-pane.tsx';
import { NothingOpen } from './nothing-open.tsx';

/** Groups with what a list says: its "+", that nothing is there, and what stands in place of an open object. */
export type ListTexts = Extract<
  Extract<GroupWith<'new'>, GroupWith<'create'>>,
  Extract<GroupWith<'none'>, GroupWith<'choose'>>
>;

export interface RowTag {
  readonly text: string;
  readonly tone?: 'slate' | 'ochre';
}

export interface ListRow {
  readonly name: string;
  /** With a slash at the end. */
  readonly folder?: string;
  readonly tags?: readonly RowTag[];
  /** How many things it has. */
  readonly count?: number | undefined;
}

/** An object by its ID, or by its name where it has none. */
type Listed = { readonly id: string | number } | { readonly id?: never; readonly name: string };

interface ListCreation<New, Made> extends CreateForm<New, Made> {
  /** What is shown of a new object. Default: as of all others. */
  path?(made: Made): string;
}

interface RowParts<Item> {
  row(item: Item): ListRow;
  /** Kind of the drafts of these objects, which are marked. */
  readonly drafts?: string;
  /** As change sets call the kind of these objects, which are marked if they have changes that wait. */
  readonly kind?: string;
  compare?(left: Item, right: Item): number;
}

export interface ListScreenProps<Item extends Listed, New extends object, Made extends Item>
  extends RowParts<Item> {
  readonly resource: { readonly name: string; useList(): { readonly data: readonly Item[] | undefined } };
  readonly title: TextKey;
  readonly texts: ListTexts;
  /** Name of the filter, if it is a special one. */
  readonly filter?: TextKey;
  /** Under which the width is kept in this browser. Default: the name of the resource. */
  readonly widthName?: string;
  /** Address of the list alone. */
  readonly list: string;
  path(item: Item): string;
  /** Part of the address that names the open object. Default: `id`. */
  readonly param?: 'ref' | 'name';
  /** Whether the address names an object. Default: by its ID. */
  isNamed?(item: Item, name: string): boolean;
  /** What the filter searches. */
  words(item: Item): string;
  /** The form for a new object, */
  readonly create?: ListCreation<New, Made>;
  /** or a dialog of its own. */
  dialog?(onClose: () => void): ReactNode;
  /** In the empty list a button invites to make the first one. */
  readonly isInviting?: boolean;
  /** What is open needs the room of the list. */
  readonly isAlone?: boolean;
  /** In place of plain rows. */
  rows?(query: string): ReactNode;
  /** Below the rows. */
  readonly foot?: ReactNode;
  /** The editor of an object as the list has it. */
  children?(item: Item): ReactNode;
  /** The editor of what reads its object itself, in place of `children`. @param name from the address */
  load?(name: string): ReactNode;
}

/** A screen of objects: a list with a filter and a "+", beside it the open one. */
export function ListScreen<Item extends Listed, New extends object, Made extends Item>(
  props: ListScreenProps<Item, New, Made>,
) {
  const { resource, title, texts, filter = 'code.filter', param = 'id' } = props;
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const { data: all } = resource.useList();
  const present = usePresent(resource, all);
  const [query, setQuery] = useState('');
  const begin = { label: t(`${texts}.new`), run: () => openNew(props) };
  useCommands([{ id: `${resource.name}.new`, label: `${texts}.new`, icon: 'plus', run: begin.run }]);
  const name = params[param];
  const { isNamed = hasId } = props;
  const open = name === undefined ? undefined : all?.find((item) => isNamed(item, name));
  return (
    <ListAndDetail
      id={props.widthName ?? resource.name}
      label={t('code.width')}
      isOpen={name !== undefined}
      isAlone={name !== undefined && props.isAlone === true}
      list={
        <ListPane
          title={t(title)}
          count={present?.length}
          add={begin}
          filter={t(filter)}
          query={query}
          onQuery={setQuery}
        >
          {present?.length === 0 && (
            <EmptyState
              action={props.isInviting === true && <Button onClick={begin.run}>{begin.label}</Button>}
            >
              {t(`${texts}.none`)}
            </EmptyState>
          )}
          {present !== undefined &&
            present.length > 0 &&
            (props.rows?.(query) ?? <Rows {...props} present={present} open={open} query={query} />)}
          {props.foot}
        </ListPane>
      }
    >
      <Detail {...props} name={name} open={open} isLoaded={all !== undefined} />
    </ListAndDetail>
  );
}

/** Asks for what a new object needs, and shows it. */
function openNew<Item extends Listed, New extends object, Made extends Item>({
  texts,
  path,
  create,
  dialog,
}: ListScreenProps<Item, New, Made>): void {
  if (dialog !== undefined) openDialog(dialog);
  if (create === undefined) return;
  openDialog((onClose) => (
    <CreateDialog
      {...create}
      title={t(`${texts}.new`)}
      submit={t(`${texts}.create`)}
      onDone={(made) => {
        goTo(create.path?.(made) ?? path(made));
        create.onDone?.(made);
      }}
      onClose={onClose}
    />
  ));
}

function idOf(item: Listed): string | number {
  return item.id ?? item.name;
}

function hasId(item: Listed, name: string): boolean {
  return String(idOf(item)) === name;
}

/** Objects whose deletion does not wait. */
function usePresent<Item extends Listed>(
  resource: { readonly name: string },
  all: readonly Item[] | undefined,
): readonly Item[] | undefined {
  const deleted = useDeleted();
  return all?.filter((item) => !deleted.has(deletionKey(resource, idOf(item))));
}

type PartOf<Item extends Listed, Names extends keyof ListScreenProps<Item, object, Item>> = Pick<
  ListScreenProps<Item, object, Item>,
  Names
>;

interface RowsProps<Item extends Listed> extends PartOf<Item, 'title' | 'words' | 'path'>, RowParts<Item> {
  readonly present: readonly Item[];
  readonly open: Item | undefined;
  readonly query: string;
}

function Rows<Item extends Listed>({ present, open, query, ...props }: RowsProps<Item>) {
  const { title, words, row, compare, drafts = '', path } = props;
  const unsaved = useDraftIds(drafts);
  const marks = useMarks(props.kind);
  const markOf = (item: Item) => marks.get(Number(idOf(item)))?.text;
  const wanted = query.toLowerCase();
  // Who types the word of a mark sees what has it.
  const hits = present.filter((item) =>
    `${words(item)} ${markOf(item) ?? ''}`.toLowerCase().includes(wanted),
  );
  const shown = compare === undefined ? hits : hits.toSorted(compare);
  if (shown.length === 0) return <EmptyState>{t('tree.noHit')}</EmptyState>;
  return (
    <VirtualRows
      label={t(title)}
      rows={shown}
      rowHeight={32}
      initialIndex={open === undefined ? -1 : shown.indexOf(open)}
      isPlain
      keyOf={(item) => idOf(item)}
      render={(item) => {
        const { name, folder = '', tags = [], count } = row(item);
        return (
          <ListEntry href={path(item)} isCurrent={item === open} folder={folder} name={name}>
            {unsaved.has(Number(idOf(item))) && <ListTag tone="ochre">{t('status.unsaved')}</ListTag>}
            {markOf(item) !== undefined && <ListTag tone="ochre">{markOf(item)}</ListTag>}
            {tags.map(({ text, tone = 'slate' }) => (
              <ListTag key={text} tone={tone}>
                {text}
              </ListTag>
            ))}
            {count !== undefined && <span className="meta tabular">{count.toLocaleString()}</span>}
          </ListEntry>
        );
      }}
    />
  );
}

interface DetailProps<Item extends Listed>
  extends PartOf<Item, 'title' | 'texts' | 'list' | 'children' | 'load'> {
  readonly name: string | undefined;
  readonly open: Item | undefined;
  readonly isLoaded: boolean;
}

function Detail<Item extends Listed>({ title, texts, list, children, load, ...found }: DetailProps<Item>) {
  const { name, open, isLoaded } = found;
  if (name !== undefined && load !== undefined) return <Fragment key={name}>{load(name)}</Fragment>;
  if (open !== undefined && children !== undefined)
    return <Fragment key={idOf(open)}>{children(open)}</Fragment>;
  const isMissing = name !== undefined && isLoaded;
  const missing = findText(`${texts}.missing`) ?? t('errors.common.notFound');
  return (
    <NothingOpen list={{ name: t(title), path: list }} isFailed={isMissing}>
      {isMissing ? missing : t(`${texts}.choose`)}
    </NothingOpen>
  );
}
