import { Checkbox, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { failureText, fieldFaults } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { loadEntries } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { helpAbove } from '../../../ui/layout/help-above.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import { showToast } from '../../../ui/messages/toasts.ts';
import { applyPaste, maxRows, RowRefusal } from './apply-paste.ts';
import { type Cells, cellsOfText } from './cells.ts';
import { type Copied, copiedIn, type PasteStart } from './copied.ts';
import {
  createPastePlan,
  faultCount,
  listRowChanges,
  looksLikeHeadings,
  type PastePlan,
  type RowChange,
} from './paste-plan.ts';
import { PastePreview, type RefusedRow } from './paste-preview.tsx';

export interface PasteDialogProps {
  readonly collection: Collection;
  /** The columns of the table. */
  readonly columns: readonly CollectionField[];
  /** Query of the list. */
  readonly query: string;
  readonly start: PasteStart;
  onClose(): void;
}

/** Cells of a spreadsheet: what they change is shown, and then done in one change. */
export function PasteDialog(props: PasteDialogProps) {
  const [copied, setCopied] = useState<Copied | undefined>(props.start.copied);
  const cells = useMemo(() => (copied === undefined ? undefined : parseCells(copied)), [copied]);
  if (cells === undefined) return <CellsQuestion onCells={setCopied} onClose={props.onClose} />;
  return <PasteForm {...props} cells={cells} />;
}

/** A place for cells, for those who have come by a button. */
function CellsQuestion({ onCells, onClose }: { onCells(copied: Copied): void; onClose(): void }) {
  const [typed, setTyped] = useState('');
  const sending = useSubmit(async () => onCells({ text: typed, html: '' }));
  return (
    <FormDialog
      title={t('entries.paste.title')}
      submit={t('entries.paste.show')}
      sending={sending}
      isIncomplete={typed.trim() === ''}
      onClose={onClose}
    >
      <Textarea
        {...helpAbove}
        data-autofocus
        label={t('entries.paste.cells')}
        description={t('entries.paste.cellsHelp')}
        autosize={false}
        rows={8}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onPaste={(event) => {
          const copied = typed === '' ? copiedIn(event.nativeEvent) : undefined;
          if (copied === undefined) return;
          event.preventDefault();
          onCells(copied);
        }}
      />
    </FormDialog>
  );
}

function PasteForm(props: PasteDialogProps & { readonly cells: Cells }) {
  const { collection, cells, onClose } = props;
  const [hasHeadings, setHeadings] = useState(() => looksLikeHeadings(cells, collection.fields));
  const [isWithout, setWithout] = useState(false);
  const [isPublished, setPublished] = useState(false);
  const [refused, setRefused] = useState<RefusedRow>();
  const { plan, isMoved } = usePlan(props, hasHeadings);
  const changes = plan === undefined ? [] : listRowChanges(plan);
  const sending = useSubmit(async () => {
    setRefused(undefined);
    try {
      const undo = await applyPaste(collection.id, changes, isPublished);
      showToast({ tone: 'done', message: t('entries.paste.done', { count: changes.length }), undo });
      onClose();
    } catch (error) {
      setRefused(refusedRow(error, changes));
    }
  });
  const faults = plan === undefined ? 0 : faultCount(plan);
  const hasNew = changes.some(({ row }) => row.entry === undefined);
  const isTooLong = cells.length - Number(hasHeadings) > maxRows;
  return (
    <FormDialog
      title={t('entries.paste.title')}
      size="xl"
      submit={t('entries.paste.apply', { count: changes.length })}
      sending={sending}
      isIncomplete={changes.length === 0 || isTooLong || isMoved || (faults > 0 && !isWithout)}
      onClose={onClose}
    >
      {isTooLong && (
        <Strip
          tone="brick"
          actions={<Link href={paths.collection(collection.slug, 'import')}>{t('entries.import')}</Link>}
        >
          {t('entries.paste.tooLong', { max: maxRows })}
        </Strip>
      )}
      {isMoved && <Strip tone="brick">{t('entries.paste.moved')}</Strip>}
      {refused !== undefined && plan !== undefined && (
        <Strip tone="brick">
          {t('entries.paste.refused', {
            row: nameOfRow(collection, plan, refused.index),
            reason: refused.reason,
          })}
        </Strip>
      )}
      {plan !== undefined && !isTooLong && (
        <>
          <PasteSummary plan={plan} changes={changes} />
          <Checkbox
            data-autofocus
            label={t('entries.paste.headings')}
            checked={hasHeadings}
            onChange={(event) => setHeadings(event.currentTarget.checked)}
          />
          {hasNew && (
            <Checkbox
              label={t('entries.paste.publish')}
              checked={isPublished}
              onChange={(event) => setPublished(event.currentTarget.checked)}
            />
          )}
          {faults > 0 && (
            <Checkbox
              label={t('entries.paste.without')}
              description={t('entries.paste.withoutHelp')}
              checked={isWithout}
              onChange={(event) => setWithout(event.currentTarget.checked)}
            />
          )}
          <PastePreview collection={collection} plan={plan} refused={refused} />
        </>
      )}
    </FormDialog>
  );
}

/** @throws what is no refusal of a row */
function refusedRow(error: unknown, changes: readonly RowChange[]): RefusedRow {
  const row = error instanceof RowRefusal ? changes[error.index]?.row : undefined;
  if (!(error instanceof RowRefusal) || row === undefined) throw error;
  const { cause } = error;
  return { index: row.index, reason: failureText(cause), fields: Object.keys(fieldFaults(cause)) };
}

interface PasteSummaryProps {
  readonly plan: PastePlan;
  readonly changes: readonly RowChange[];
}

/** How many entries change, and what of the cells is left out. */
function PasteSummary({ plan, changes }: PasteSummaryProps) {
  const created = changes.filter(({ row }) => row.entry === undefined).length;
  const faults = faultCount(plan);
  return (
    <p className="line" role="status">
      {t('entries.paste.would', { changed: changes.length - created, created })}
      {plan.ignored > 0 && ` ${t('entries.paste.ignored', { count: plan.ignored })}`}
      {faults > 0 && ` ${t('entries.paste.faults', { count: faults })}`}
    </p>
  );
}

interface ShownPlan {
  /** Undefined until the entries are known. */
  readonly plan: PastePlan | undefined;
  /** The table shows other entries than those that are there by now. */
  readonly isMoved: boolean;
}

function usePlan(
  { collection, columns, query, start, cells }: PasteDialogProps & { readonly cells: Cells },
  hasHeadings: boolean,
): ShownPlan {
  const { first, column } = start;
  const { data: entries } = useQuery({
    queryKey: ['entries', collection.id, 'pasted', query, first?.index, cells.length],
    queryFn: async ({ signal }) => {
      if (first === undefined) return [];
      const place = { limit: Math.min(cells.length, maxRows), offset: first.index, signal };
      return (await loadEntries(collection.id, query, place)).rows;
    },
    gcTime: 0,
  });
  return useMemo(() => {
    if (entries === undefined) return { plan: undefined, isMoved: false };
    const from = Math.max(
      0,
      columns.findIndex(({ name }) => name === column),
    );
    const { fields } = collection;
    const plan = createPastePlan({ cells, columns: columns.slice(from), fields, hasHeadings, entries });
    return { plan, isMoved: first !== undefined && entries[0]?.id !== first.id };
  }, [entries, columns, column, collection, cells, hasHeadings, first]);
}

function nameOfRow(collection: Collection, { rows }: PastePlan, index: number): string {
  const entry = rows[index]?.entry;
  return entry === undefined ? t('entries.paste.new') : entryTitle(collection, entry);
}

/** Cells of a spreadsheet as they come from the clipboard: rows of texts. */

/** Cells of the table in the clipboard, or of its text with tabs. Empty rows at the end are left out. */
function parseCells({ text, html }: Copied): Cells {
  const table =
    html === '' ? null : new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  return withoutEmptyEnd(table === null ? cellsOfText(text) : cellsOfTable(table));
}

/** A cell over several places has its text in the first of them. */
function cellsOfTable(table: HTMLTableElement): Cells {
  // Places stay free until a cell takes them.
  const rows: (string | undefined)[][] = Array.from(table.rows, () => []);
  for (const [y, { cells }] of Array.from(table.rows).entries()) {
    let x = 0;
    for (const cell of cells) {
      while (rows[y]?.[x] !== undefined) x += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan); down++)
        for (let right = 0; right < cell.colSpan; right++) {
          const row = rows[y + down];
          if (row !== undefined) row[x + right] = down + right === 0 ? textOfCell(cell) : '';
        }
    }
  }
  return rows.map((row) => Array.from(row, (cell) => cell ?? ''));
}

/** Spreadsheets write line breaks as `br`; those of the source are spaces. */
function textOfCell(cell: HTMLTableCellElement): string {
  const parts = cell.innerHTML.split(/<br\b[^>]*>/i).map((part) => {
    const text = new DOMParser().parseFromString(part, 'text/html').body.textContent ?? '';
    return text.replace(/\s+/g, ' ').trim();
  });
  return parts.join('\n').trim();
}

function withoutEmptyEnd(rows: Cells): Cells {
  const last = rows.findLastIndex((row) => row.some((cell) => cell.trim() !== ''));
  return rows.slice(0, last + 1);
}
