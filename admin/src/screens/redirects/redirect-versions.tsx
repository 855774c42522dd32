import type { Redirect } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { ObjectVersions } from '../../editors/versions/object-versions.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { redirects } from './queries.ts';

/** Opens the earlier versions of a redirect. @param onRestored its form has other values then */
export function showVersions(redirect: Redirect, onRestored: () => void): void {
  openDialog((onClose) => (
    <Dialog title={t('redirects.versionsOf', { source: redirect.source })} size={960} onClose={onClose}>
      <ObjectVersions
        kind="redirect"
        object={redirect}
        kept={t('history.keptOfRedirect')}
        changed={async () => {
          onClose();
          onRestored();
          await redirects.changed();
        }}
      />
    </Dialog>
  ));
}
