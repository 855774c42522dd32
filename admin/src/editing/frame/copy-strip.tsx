import { Button } from '@mantine/core';
import { findText, t } from '../../base/i18n/index.ts';
import { runCommand } from '../../commands/run.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import type { Editable } from '../editor-store.ts';
import type { Copying } from '../use-editor.ts';

interface CopyStripProps<Value extends Editable> {
  readonly copying: Copying<Value>;
  /** Name of a field that is not among the texts. */
  nameOf?(field: string): string | undefined;
}

/** Says what waits, so that nobody takes it for what visitors see. */
export function CopyStrip<Value extends Editable>({ copying, nameOf }: CopyStripProps<Value>) {
  const { copy, mayPublish, commands } = copying;
  const fields = copy?.item?.fields ?? [];
  if (fields.length === 0) return null;
  const names = fields.map((field) => nameOf?.(field) ?? findText(`fields.${field}`) ?? field);
  const count = copy?.item?.conflicts.length ?? 0;
  return (
    <Strip
      tone={count === 0 ? 'slate' : 'ochre'}
      actions={
        <Button size="compact-sm" variant="default" onClick={() => void runCommand(commands.compare)}>
          {t('releases.differences')}
        </Button>
      }
    >
      {t('copies.waiting', { fields: [...new Set(names)].join(', ') })}
      {count > 0 && ` ${t('releases.conflicts', { count })}`}
      {!mayPublish && ` ${t('copies.mayNotPublish')}`}
    </Strip>
  );
}
