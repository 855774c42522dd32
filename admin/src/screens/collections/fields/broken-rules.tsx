import type { SavedCollection } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { Consequence } from '../../../kit/delete/consequence.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';

/** Says which rules of the fields that were saved the entries do not keep; nothing if they keep all. */
export function showBrokenRules({
  fields,
  warnings = [],
}: Pick<SavedCollection, 'fields' | 'warnings'>): void {
  const broken = warnings
    .filter(({ code }) => code === 'collection.entriesBreakRule')
    .map(({ params }) => {
      const field = fields.find(({ name }) => name === params['field']);
      const name = field?.label ?? String(params['field']);
      return t('schema.breaksRuleIn', { name, count: Number(params['count']) });
    });
  if (broken.length === 0) return;
  openDialog((onClose) => (
    <Dialog title={t('schema.saved')} onClose={onClose}>
      <div className="stack-12">
        <Consequence title={t('schema.breaksRule')}>{broken}</Consequence>
        <p className="line">{t('schema.breaksRuleHelp')}</p>
      </div>
    </Dialog>
  ));
}
