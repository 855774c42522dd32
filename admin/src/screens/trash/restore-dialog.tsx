import { Checkbox, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { RestoreResult, TrashEntry } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { objectPaths } from '../../base/router/object-paths.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { findSite, planQuery, restore, trashChanged } from './queries.ts';
import { containsText, kindText } from './texts.ts';
import classes from './trash.module.css';

interface RestoreDialogProps {
  readonly entry: TrashEntry;
  onClose(): void;
}

/** Names what comes back before it does. A taken name and a deleted parent leave a choice. */
export function RestoreDialog({ entry, onClose }: RestoreDialogProps) {
  const [isRenamed, setRenamed] = useState(false);
  /** Title of what the object was in, if that shall come back, too. */
  const [parent, setParent] = useState<string>();
  const options = { rename: isRenamed, with_parent: parent !== undefined };
  const { data: plan, error, isPlaceholderData } = useQuery(planQuery(entry.id, options));
  const refusal = plan !== undefined && 'refusal' in plan ? plan.refusal : undefined;
  const result = plan !== undefined && 'result' in plan ? plan.result : undefined;
  const offered = parent ?? parentIn(refusal);
  const sending = useSubmit(async () => {
    const { restored } = await restore(entry.id, options);
    await trashChanged([...restored.map(({ kind }) => kind), ...Object.keys(entry.contains)]);
    onClose();
    const show = await addressOf(restored.at(-1));
    const message = t('trash.restored', { name: entry.title });
    showToast({ tone: 'done', message, ...(show === undefined ? {} : { show }) });
  });
  return (
    <FormDialog
      title={t('trash.restoreTitle', { name: entry.title })}
      size={560}
      submit={t('trash.restore')}
      sending={sending}
      isIncomplete={result === undefined || isPlaceholderData}
      onClose={onClose}
    >
      {plan === undefined && error === null && <Loader size="sm" aria-label={t('trash.looking')} />}
      <FormError message={refusal === undefined ? failureOf(error) : refusalText(refusal)} />
      {result !== undefined && <Plan result={result} entry={entry} />}
      {(isRenamed || canRename(refusal)) && (
        <Checkbox
          label={t('trash.rename')}
          checked={isRenamed}
          onChange={(event) => setRenamed(event.currentTarget.checked)}
        />
      )}
      {offered !== undefined && (
        <Checkbox
          label={t('trash.withParent', { name: offered })}
          checked={parent !== undefined}
          onChange={(event) => setParent(event.currentTarget.checked ? offered : undefined)}
        />
      )}
    </FormDialog>
  );
}

/** What a restore would do. */
function Plan({ result, entry }: { readonly result: RestoreResult; readonly entry: TrashEntry }) {
  const contains = containsText(entry);
  return (
    <>
      <PlanList title={t('trash.comesBack')}>
        {[
          ...result.restored.map(({ kind, title }) => `${kindText(kind)} "${title}"`),
          ...(contains === '' ? [] : [contains]),
        ]}
      </PlanList>
      {result.renamed.length > 0 && (
        <PlanList title={t('trash.otherNames')}>
          {result.renamed.map(({ from, to }) => `${from} → ${to}`)}
        </PlanList>
      )}
      {result.renumbered.length > 0 && (
        <p className="line">{t('trash.renumbered', { count: result.renumbered.length })}</p>
      )}
    </>
  );
}

function PlanList({ title, children }: { readonly title: string; readonly children: readonly string[] }) {
  return (
    <div className={classes['plan']}>
      <b>{title}</b>
      <ul>
        {children.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** Names that can have another number; a key or a domain cannot. */
const numbered: readonly unknown[] = ['name', 'path', 'address'];

function canRename(refusal: ApiFailure | undefined): boolean {
  return refusal?.code === 'trash.nameTaken' && numbered.includes(refusal.params['what']);
}

/** Title of what the object was in, if that is in the trash. */
function parentIn(refusal: ApiFailure | undefined): string | undefined {
  if (refusal?.code !== 'trash.parentDeleted' || refusal.params['trash_id'] === null) return undefined;
  return String(refusal.params['title']);
}

function failureOf(error: Error | null): string | undefined {
  return error === null ? undefined : failureText(error);
}

function refusalText(refusal: ApiFailure): string {
  const isParentGone = refusal.code === 'trash.parentDeleted' && refusal.params['trash_id'] === null;
  return isParentGone ? t('trash.parentGone') : failureText(refusal);
}

/** The screen of what is back; undefined if it has none. */
async function addressOf(object: RestoreResult['restored'][number] | undefined): Promise<string | undefined> {
  if (object === undefined) return undefined;
  const site = object.kind === 'page' ? await findSite(object.id) : undefined;
  return objectPaths(object, () => site)?.object;
}
