import type { Need } from '../../api/session/rights.ts';
import { t } from '../../base/i18n/index.ts';
import { HiddenTitle } from '../../ui/layout/hidden-title.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

/** Says which right is missing. */
export function NoRight({ needs: [need] }: { readonly needs: readonly Need[] }) {
  return (
    <>
      <HiddenTitle>{t('frame.noRight')}</HiddenTitle>
      <EmptyState>{t('errors.auth.notAllowed', { action: need?.action ?? '' })}</EmptyState>
    </>
  );
}
