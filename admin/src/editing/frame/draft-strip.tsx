import { Button } from '@mantine/core';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import type { Editable } from '../editor-store.ts';
import type { OpenObject } from '../open-object.ts';

export interface DraftStripProps extends Pick<OpenObject<Editable>, 'earlier' | 'decide'> {
  /** Name of a field that is not among the texts. */
  nameOf?(field: string): string | undefined;
}

/** Offers the changes of an earlier visit. It asks for nothing and blocks nothing. */
export function DraftStrip({ earlier, decide, nameOf }: DraftStripProps) {
  if (earlier === undefined) return null;
  const fields = Object.keys(earlier.changes).map(
    (field) => nameOf?.(field) ?? findText(`fields.${field}`) ?? field,
  );
  return (
    <Strip
      actions={
        <>
          <Button size="compact-sm" onClick={() => decide(true)}>
            {t('draft.restore')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => decide(false)}>
            {t('draft.discard')}
          </Button>
        </>
      }
    >
      {t('draft.earlier', { time: timeText(earlier.savedAt), fields: [...new Set(fields)].join(', ') })}
    </Strip>
  );
}
