import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { NothingOpen } from '../../kit/list/nothing-open.tsx';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';

/** At an address that is no screen's, or of a website that does not exist. */
export function NoScreen({ isOfSite = false }: { readonly isOfSite?: boolean }) {
  useDocumentTitle(t('noScreen.title'));
  return (
    <NothingOpen list={{ name: t('nav.dashboard'), path: paths.start() }} isFailed>
      {t(isOfSite ? 'noScreen.site' : 'noScreen.address')}
    </NothingOpen>
  );
}
