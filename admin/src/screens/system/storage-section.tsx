import { Button, Checkbox, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { FormSchema } from '../../api/form-schema.ts';
import * as forms from '../../api/generated/forms.ts';
import type {
  S3Update,
  StorageMigration,
  StorageSettings,
  StorageUpdate,
} from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { jobSignal } from '../../content/jobs/signal.ts';
import { cancelMigration, storageChanged, storageQuery } from '../../content/jobs/storage.ts';
import { SecretText } from '../../kit/form/field-input.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { type Line, SchemaForm } from '../../kit/form/schema-form.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { showToast } from '../../ui/messages/toasts.ts';
import { Facts } from '../../ui/values/facts.tsx';

/** Where the files of the library lie, and how they move. */
export function StorageSection() {
  const { data } = useQuery(storageQuery);
  if (data === undefined) return null;
  const { type, media, cache, migration } = data;
  return (
    <>
      {data.error !== undefined && (
        <Strip tone="brick">
          {failureText(new ApiFailure(502, { error: data.error, code: data.error_code }))}
        </Strip>
      )}
      <Facts
        facts={[
          [t('storage.place'), t(`storage.types.${type}`)],
          [t('storage.files'), `${media.files.toLocaleString()} · ${sizeText(media.bytes)}`],
          [
            t('storage.cache'),
            t('cache.sizeOf', { size: sizeText(cache.used_bytes), max: sizeText(cache.max_bytes) }),
          ],
        ]}
      />
      {migration.status !== 'idle' && <Migration migration={migration} />}
      <h2>{t('storage.types.s3')}</h2>
      <S3Form storage={data} />
    </>
  );
}

function Migration({ migration }: { readonly migration: StorageMigration }) {
  const { status, phase, to, done_files, total_files, done_bytes, total_bytes } = migration;
  const isRunning = status === 'running';
  const error = migration.error === undefined ? '' : failureText(failureOf(migration));
  return (
    <section aria-label={t('storage.migration')}>
      <p className="line" role="status">
        {t(`storage.statuses.${status}`, { to: to === '' ? '' : t(`storage.types.${to}`) })} {error}
      </p>
      {isRunning && (
        <>
          <Progress
            aria-label={t('storage.migration')}
            value={total_bytes === 0 ? 0 : (done_bytes / total_bytes) * 100}
          />
          <p className="meta line">
            {phase !== '' && t(`storage.phases.${phase}`)} · {done_files} / {total_files} ·{' '}
            {sizeText(done_bytes)} / {sizeText(total_bytes)}
          </p>
          <CommandButton
            variant="default"
            size="compact-sm"
            command={{
              id: 'storage.cancel',
              label: 'storage.cancel',
              icon: 'x',
              run: cancelMigration,
            }}
          />
        </>
      )}
    </section>
  );
}

function failureOf({ error, error_code, error_params }: StorageMigration): ApiFailure {
  return new ApiFailure(502, { error, code: error_code, params: error_params });
}

type StorageForm = S3Update & Pick<StorageUpdate, 'cache_mb'>;

const storageForm: FormSchema<StorageForm> = {
  type: 'object',
  properties: { ...forms.S3Update.properties, cache_mb: forms.StorageUpdate.properties.cache_mb },
};
const layout: readonly Line<StorageForm>[] = [
  ['endpoint', 'region', 'bucket', 'prefix', 'access_key', 'secret_key', 'cache_mb'],
  'path_style',
];

function S3Form({ storage }: { readonly storage: StorageSettings }) {
  const [changes, setChanges] = useState<StorageForm>({});
  const [isOldDeleted, setOldDeleted] = useState(false);
  const { cache_mb = storage.cache_mb, ...s3Changes } = changes;
  const isS3Changed = Object.keys(s3Changes).length > 0;
  const isLocal = storage.type === 'local';
  const sending = useSubmit(async () => {
    await requireData(api.PUT('/storage', { body: { s3: s3Changes, cache_mb } }));
    setChanges({});
    await storageChanged();
    showToast({ tone: 'done', message: t('system.saved') });
  });
  const hasConfig = storage.s3 !== null;
  return (
    <form className="form" onSubmit={sending.send}>
      <FormError message={sending.message} />
      <SchemaForm
        schema={storageForm}
        texts="storage.fields"
        layout={layout}
        inputs={{ secret_key: SecretText }}
        help={{ secret_key: storage.s3?.secret_set === true ? t('storage.secretSet') : undefined }}
        values={{ ...storage.s3, ...changes, cache_mb }}
        faults={sending.faults}
        onChange={(change) => setChanges({ ...changes, ...change })}
      />
      <div>
        <Button
          type="submit"
          loading={sending.isSending}
          disabled={!isS3Changed && cache_mb === storage.cache_mb}
        >
          {t('system.save')}
        </Button>{' '}
        <CommandButton
          variant="default"
          command={{
            id: 'storage.check',
            label: 'storage.check',
            icon: 'check-circle',
            can: () => hasConfig || isS3Changed,
            async run() {
              const s3 = isS3Changed ? { s3: { ...storage.s3, ...s3Changes } } : {};
              await requireData(api.POST('/storage/check', { body: s3 }));
              return { message: t('storage.checked') };
            },
          }}
        />
      </div>
      <Checkbox
        label={t('storage.deleteOld')}
        checked={isOldDeleted}
        onChange={(event) => setOldDeleted(event.currentTarget.checked)}
      />
      <div>
        <CommandButton
          variant="default"
          command={{
            id: 'storage.migrate',
            label: isLocal ? 'storage.moveToS3' : 'storage.moveToLocal',
            icon: 'hard-drives',
            can: () => (!isLocal || hasConfig) && storage.migration.status !== 'running',
            async run() {
              const target = isLocal ? 's3' : 'local';
              await requireData(api.POST('/storage/migrate', { body: { target, delete_old: isOldDeleted } }));
              jobSignal.raise();
              await storageChanged();
            },
          }}
        />
      </div>
    </form>
  );
}
