import { t } from '../../base/i18n/index.ts';
import { KeyHint } from '../../commands/key-hint.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

/** Beside the tree before a page is chosen. */
export function NoPage() {
  return (
    <>
      <h1 className="visually-hidden">{t('nav.pages')}</h1>
      <EmptyState action={<KeyHint keys="mod+K" />}>{t('tree.choose')}</EmptyState>
    </>
  );
}
