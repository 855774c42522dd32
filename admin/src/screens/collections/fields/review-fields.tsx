import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { failureText, pathFaults } from '../../../api/failure-text.ts';
import { nameOfPath } from '../../../api/field-names.ts';
import { findText, t } from '../../../base/i18n/index.ts';
import { type Collection, type CollectionField, collections } from '../../../content/collections.ts';
import { Consequence } from '../../../kit/delete/consequence.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormError } from '../../../kit/form/form-error.tsx';
import type { Faults } from '../../../kit/form/form-texts.ts';
import { useSubmit } from '../../../kit/form/submit.ts';
import problems from '../../../ui/messages/problems.module.css';
import { showToast } from '../../../ui/messages/toasts.ts';
import { showBrokenRules } from './broken-rules.tsx';
import classes from './fields.module.css';
import { TemplateUses } from './template-uses.tsx';

export interface ReviewFieldsProps {
  readonly collection: Collection;
  readonly fields: readonly CollectionField[];
  onSaved(): void;
  /** The server does not take the fields. */
  onRefused(faults: Faults): void;
  /** A fault was chosen, by its path such as `fields.0.min`. */
  onFault(path: string): void;
  onClose(): void;
}

/** What a change of the fields breaks, before it is saved. */
export function ReviewFields(props: ReviewFieldsProps) {
  const { collection, fields: typed, onSaved, onRefused, onFault, onClose } = props;
  const fields = typed.map((field) => ({ ...field, options: field.options.filter(Boolean) }));
  const reportFaults = async <Result,>(work: Promise<Result>) => {
    try {
      return await work;
    } catch (failure) {
      onRefused(pathFaults(failure));
      throw failure;
    }
  };
  const path = { ref: String(collection.id) };
  const { data: impact, error } = useQuery({
    queryKey: ['collections', collection.id, 'impact', fields],
    queryFn: () =>
      reportFaults(
        requireData(api.POST('/collections/{ref}/impact', { params: { path }, body: { fields } })),
      ),
    staleTime: 0,
    retry: false,
  });
  const sending = useSubmit(async () => {
    const saved = await reportFaults(collections.update(String(collection.id), { fields }));
    onSaved();
    onClose();
    showToast({ tone: 'done', message: t('schema.saved') });
    showBrokenRules(saved);
  });
  // The dialog has no field that could show what was refused.
  const refused = error ?? (sending.message === undefined ? sending.error : undefined);
  const faults = Object.entries(pathFaults(refused));
  const losses = Object.entries(impact?.entries ?? {}).filter(([, count]) => count > 0);
  const breaks = impact?.detail_pages.breaks === true;
  const isHarmless = impact !== undefined && losses.length === 0 && impact.templates.length === 0 && !breaks;
  return (
    <FormDialog
      title={t('schema.reviewTitle', { name: collection.name })}
      size={640}
      submit={t('schema.save')}
      sending={sending}
      isIncomplete={impact === undefined}
      isDangerous={losses.length > 0 || breaks}
      onClose={onClose}
    >
      <div className="stack-12">
        <FormError
          message={
            refused === undefined || refused === null || faults.length > 0 ? undefined : failureText(refused)
          }
        />
        {faults.length > 0 && (
          <div className={problems['problems']} role="alert">
            <b>{t('schema.faults')}</b>
            <ul>
              {faults.map(([path, text]) => (
                <li key={path}>
                  <button
                    type="button"
                    className={classes['fault']}
                    onClick={() => {
                      onClose();
                      onFault(path);
                    }}
                  >
                    {`${nameOfPath(path, { fields }, findText)}: ${text}`}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        {isHarmless && <p className="line">{t('schema.harmless')}</p>}
        {losses.length > 0 && (
          <Consequence title={t('schema.lost')}>
            {losses.map(([name, count]) => t('schema.lostIn', { name, count }))}
          </Consequence>
        )}
        {breaks && <Consequence title={t('schema.detailBreaks')}>{[]}</Consequence>}
        {impact !== undefined && impact.templates.length > 0 && (
          <TemplateUses
            title={t('schema.templatesBreak', { count: impact.templates.length })}
            uses={impact.templates}
          />
        )}
      </div>
    </FormDialog>
  );
}
