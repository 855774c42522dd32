import { Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import * as forms from '../../api/generated/forms.ts';
import type { TemplateUse } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { type Collection, collections } from '../../content/collections.ts';
import { usePageTree } from '../../content/pages.ts';
import { deleteUsedCommand } from '../../kit/delete/delete-command.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import { SettingsButtons } from '../../kit/form/settings-buttons.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { useUnsavedChanges } from '../../kit/form/unsaved-changes.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import classes from './collections.module.css';
import { showUses } from './fields/rename-field.tsx';

type Settings = Pick<
  Collection,
  | 'name'
  | 'slug'
  | 'folder'
  | 'public_api'
  | 'live'
  | 'singleton'
  | 'lang'
  | 'detail_page_id'
  | 'detail_field'
>;

const form = { schema: forms.CollectionUpdate, texts: 'collections' };

/** Name, address and rules of a collection. */
export function SettingsTab({ collection }: { readonly collection: Collection }) {
  const [changes, setChanges] = useUnsavedChanges<Settings>(`collection ${collection.id}`);
  const values: Settings = { ...collection, ...changes };
  const set = (fields: Partial<Settings>) => setChanges({ ...changes, ...fields });
  const [isCarried, setCarried] = useState(true);
  const isRenamed = values.slug !== collection.slug;
  const sending = useSubmit(async () => {
    const left = isRenamed ? await renameSlug(collection, values.slug, isCarried) : [];
    const saved = await collections.update(String(collection.id), changes);
    setChanges({});
    // Another address closes dialogs, so the list comes after it.
    goTo(paths.collection(saved.slug, 'settings'), { replace: true });
    if (left.length > 0) showUses(t('schema.renamed', { from: collection.slug, to: saved.slug }), left);
    showToast({ tone: 'done', message: t('collections.saved', { name: saved.name }) });
  });
  const fields = { ...form, values, faults: sending.faults, onChange: set };
  return (
    <div className={classes['scroll']}>
      <form className={classes['form']} onSubmit={sending.send}>
        <FormError message={sending.message} />
        <div className="pair">
          <SchemaForm {...fields} layout={['name']} />
          <div>
            <SchemaForm {...fields} layout={['slug']} />
            {isRenamed && (
              <Checkbox
                label={t('collections.carrySlug')}
                description={t('collections.carrySlugHelp')}
                checked={isCarried}
                onChange={(event) => setCarried(event.currentTarget.checked)}
              />
            )}
          </div>
          <SchemaForm {...fields} layout={['folder', 'lang']} />
        </div>
        <SchemaForm {...fields} layout={['public_api', 'live', 'singleton']} />
        <DetailPage values={values} collection={collection} faults={sending.faults} onChange={set} />
        <SettingsButtons
          submit={t('collections.save')}
          isSending={sending.isSending}
          changes={changes}
          onDiscard={() => setChanges({})}
        >
          <CommandButton
            variant="subtle"
            command={deleteUsedCommand(collections, String(collection.id), {
              kind: 'collection',
              name: collection.name,
              label: 'collections.delete',
              submit: 'collections.deleteNow',
              loss: t('collections.entriesGo', { count: collection.item_count ?? 0 }),
              list: paths.collections(),
              isNameTyped: true,
            })}
          />
        </SettingsButtons>
      </form>
    </div>
  );
}

/** Answers the places that still have the old slug. */
async function renameSlug({ id }: Collection, to: string, carry: boolean): Promise<readonly TemplateUse[]> {
  const path = { ref: String(id) };
  const renamed = await requireData(
    api.POST('/collections/{ref}/rename-slug', { params: { path }, body: { to, carry } }),
  );
  return renamed.templates;
}

interface DetailPageProps {
  readonly values: Settings;
  readonly collection: Collection;
  readonly faults: Readonly<Record<string, string>>;
  onChange(fields: Partial<Settings>): void;
}

/** The page below which each entry has its own address. */
function DetailPage({ values, collection, faults, onChange }: DetailPageProps) {
  const { data: pages = [] } = usePageTree();
  const choices = pages
    .filter((page) => page.catch_all)
    .map(({ id, title, path }) => ({ value: String(id), label: `${title} (${path})` }));
  return (
    <div className="pair">
      <Select
        label={t('fields.detail_page_id')}
        description={t('collections.detail_page_idHelp')}
        data={[{ value: '0', label: t('collections.noDetailPage') }, ...choices]}
        value={String(values.detail_page_id)}
        error={faults['detail_page_id']}
        allowDeselect={false}
        searchable={choices.length > 8}
        onChange={(value) => onChange({ detail_page_id: Number(value) })}
      />
      {values.detail_page_id !== 0 && (
        <Select
          label={t('fields.detail_field')}
          description={t('collections.detail_fieldHelp')}
          data={collection.fields.map(({ name, label }) => ({ value: name, label }))}
          value={values.detail_field}
          error={faults['detail_field']}
          onChange={(value) => onChange({ detail_field: value ?? '' })}
        />
      )}
    </div>
  );
}
