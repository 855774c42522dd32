import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { type Collection, type CollectionField, collections } from '../../../content/collections.ts';
import { Consequence } from '../../../kit/delete/consequence.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormError } from '../../../kit/form/form-error.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { showToast } from '../../../ui/messages/toasts.ts';
import { TemplateUses } from './template-uses.tsx';

export interface ReviewFieldsProps {
  readonly collection: Collection;
  readonly fields: readonly CollectionField[];
  onSaved(): void;
  onClose(): void;
}

/** What a change of the fields breaks, before it is saved. */
export function ReviewFields({ collection, fields: typed, onSaved, onClose }: ReviewFieldsProps) {
  const fields = typed.map((field) => ({ ...field, options: field.options.filter(Boolean) }));
  const path = { ref: String(collection.id) };
  const { data: impact, error } = useQuery({
    queryKey: ['collections', collection.id, 'impact', fields],
    queryFn: () => requireData(api.POST('/collections/{ref}/impact', { params: { path }, body: { fields } })),
    staleTime: 0,
    retry: false,
  });
  const sending = useSubmit(async () => {
    await collections.update(String(collection.id), { fields });
    onSaved();
    onClose();
    showToast({ tone: 'done', message: t('schema.saved') });
  });
  // The dialog has no field that could show what was refused.
  const refused = error ?? (sending.message === undefined ? sending.error : undefined);
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
        <FormError message={refused === undefined ? undefined : failureText(refused)} />
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
