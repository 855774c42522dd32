import { api, requireData } from '../../api/client.ts';
import { t } from '../../base/i18n/index.ts';
import { snippetResource } from '../../content/code/code-kinds.ts';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { showToast } from '../../ui/messages/toasts.ts';

export interface RenameParamProps {
  /** ID of the snippet. */
  readonly snippet: number;
  readonly name: string;
  /** Other changes have to be saved or dropped first. */
  readonly isBlocked: boolean;
  onClose(): void;
}

/** Renames a parameter and keeps the values of all blocks; then says how many templates still read the old name. */
export function RenameParam({ snippet, name, isBlocked, onClose }: RenameParamProps) {
  return (
    <CreateDialog
      title={t('schema.renameTitle', { name })}
      submit={t('blockType.rename')}
      initial={{ to: name }}
      intro={isBlocked && <Strip>{t('schema.saveFirst')}</Strip>}
      fields={[{ name: 'to', label: 'schema.name', help: 'blockType.renameHelp' }]}
      isReady={({ to }) => !isBlocked && to !== name && to !== ''}
      create={async ({ to }) => {
        const params = { path: { id: snippet } };
        const body = { from: name, to };
        const { templates } = await requireData(api.POST('/snippets/{id}/rename-param', { params, body }));
        await snippetResource.changed();
        return templates.length === 0
          ? t('schema.renamed', body)
          : t('schema.mendTemplates', { count: templates.length });
      }}
      onDone={(message) => showToast({ tone: 'done', message })}
      onClose={onClose}
    />
  );
}
