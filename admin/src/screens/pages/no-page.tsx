import { t } from '../../base/i18n/index.ts';
import { KeyHint } from '../../commands/key-hint.tsx';
import { HiddenTitle } from '../../ui/layout/hidden-title.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

/** Beside the tree before a page is chosen. */
export function NoPage() {
  return (
    <>
      <HiddenTitle>{t('nav.pages')}</HiddenTitle>
      <EmptyState action={<KeyHint keys="mod+K" />}>{t('tree.choose')}</EmptyState>
    </>
  );
}
