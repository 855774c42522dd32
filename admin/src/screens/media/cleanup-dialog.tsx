import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { filesChanged } from '../../content/files.ts';
import { tellDeleted } from '../../kit/delete/tell-deleted.ts';
import { WayBack } from '../../kit/delete/way-back.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import classes from './cleanup-dialog.module.css';

/** Files that nothing refers to, to be deleted together. */
export function CleanupDialog({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ['cleanup'],
    queryFn: () => requireData(api.GET('/cleanup')),
    staleTime: 0,
  });
  const unused = data?.files ?? [];
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  const chosen = unused.filter(({ id }) => !kept.has(id));
  const size = sizeText(chosen.reduce((sum, file) => sum + file.size, 0));
  const sending = useSubmit(async () => {
    const { deleted } = await requireData(
      api.POST('/cleanup', { body: { files: chosen.map(({ id }) => id) } }),
    );
    await filesChanged();
    onClose();
    await tellDeleted(t('media.deleted', { count: deleted.files }));
  });
  const keep = (id: number, isKept: boolean) => {
    const next = new Set(kept);
    if (isKept) next.add(id);
    else next.delete(id);
    setKept(next);
  };
  return (
    <FormDialog
      title={t('media.cleanupTitle')}
      size={560}
      submit={t('media.cleanupDelete', { count: chosen.length, size })}
      sending={sending}
      isIncomplete={chosen.length === 0}
      isDangerous
      onClose={onClose}
    >
      <p className="line">
        {data !== undefined && t(unused.length === 0 ? 'media.cleanupNone' : 'media.cleanupHelp')}
      </p>
      {unused.length > 0 && (
        <>
          <WayBack />
          <Checkbox
            label={t('media.selectAll')}
            checked={chosen.length === unused.length}
            indeterminate={chosen.length > 0 && chosen.length < unused.length}
            onChange={(event) =>
              setKept(new Set(event.currentTarget.checked ? [] : unused.map(({ id }) => id)))
            }
          />
          <ul className={classes['files']}>
            {unused.map((file) => (
              <li key={file.id}>
                <Checkbox
                  label={`${file.name} · ${sizeText(file.size)}`}
                  checked={!kept.has(file.id)}
                  onChange={(event) => keep(file.id, !event.currentTarget.checked)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
}
