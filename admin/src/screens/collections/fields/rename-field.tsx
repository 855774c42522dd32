import { api, requireData } from '../../../api/client.ts';
import type { TemplateUse } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { type Collection, collections } from '../../../content/collections.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import { TemplateUses } from './template-uses.tsx';

export interface RenameFieldProps {
  readonly collection: Collection;
  readonly name: string;
  /** Other changes of the fields have to be saved or dropped first. */
  readonly isBlocked: boolean;
  onClose(): void;
}

/** Renames a field and keeps its values; then names the templates that still read the old name. */
export function RenameField({ collection, name, isBlocked, onClose }: RenameFieldProps) {
  const rename = async ({ to }: { readonly to: string }) => {
    const path = { ref: String(collection.id) };
    const { templates } = await requireData(
      api.POST('/collections/{ref}/rename-field', { params: { path }, body: { from: name, to } }),
    );
    return { to, templates };
  };
  return (
    <CreateDialog
      title={t('schema.renameTitle', { name })}
      submit={t('schema.rename')}
      initial={{ to: name }}
      intro={isBlocked && <Strip>{t('schema.saveFirst')}</Strip>}
      fields={[{ name: 'to', label: 'schema.name', help: 'schema.renameHelp', isOptional: true }]}
      isReady={({ to }) => !isBlocked && to !== name && to !== ''}
      create={rename}
      onDone={({ to, templates }) => {
        if (templates.length > 0) showUses(t('schema.renamed', { from: name, to }), templates);
        else void collections.changed();
      }}
      onClose={onClose}
    />
  );
}

/** Lists what still has an old name. */
export function showUses(title: string, uses: readonly TemplateUse[]): void {
  openDialog((onClose) => (
    <Dialog
      title={title}
      onClose={() => {
        onClose();
        void collections.changed();
      }}
    >
      <TemplateUses title={t('schema.mendTemplates', { count: uses.length })} uses={uses} />
    </Dialog>
  ));
}
