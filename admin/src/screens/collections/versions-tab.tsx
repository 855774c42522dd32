import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { type Collection, collections } from '../../content/collections.ts';
import { ObjectVersions } from '../../editors/versions/object-versions.tsx';
import classes from './collections.module.css';

/** Earlier versions of the fields and settings of a collection. */
export function VersionsTab({ collection }: { readonly collection: Collection }) {
  return (
    <div className={classes['scroll']}>
      <ObjectVersions
        kind="collection"
        object={collection}
        kept={t('history.keptOfCollection')}
        changed={() => showRestored(collection)}
      />
    </div>
  );
}

/** The address follows a restored slug. On the way it names the ID, so the list always has the collection. */
async function showRestored({ id, slug }: Collection): Promise<void> {
  const restored = await collections.load(String(id));
  if (restored.slug !== slug) goTo(paths.collection(String(id), 'history'), { replace: true });
  await collections.changed();
  if (restored.slug !== slug) goTo(paths.collection(restored.slug, 'history'), { replace: true });
}
