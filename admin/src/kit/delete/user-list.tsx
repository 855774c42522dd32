import type { UsageEntry } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { toKindKey } from '../../content/usage.ts';
import classes from './user-list.module.css';

/** The objects that use something, each a link where there is a screen for it. */
export function UserList({ entries }: { readonly entries: readonly UsageEntry[] }) {
  const site = useCurrentSite() ?? 0;
  if (entries.length === 0) return <span className="quiet">{t('code.notUsed')}</span>;
  const addresses: Readonly<Record<string, (id: number) => string>> = {
    page: (id) => paths.page(site, id),
    snippet: paths.snippet,
    global: paths.globalBlock,
    asset: paths.asset,
    collection: (id) => paths.collection(String(id)),
    redirect: () => paths.redirects(site),
    source: paths.source,
    pen: paths.pen,
    workflow: (id) => paths.workflow(id),
    flow_node: (id) => paths.flowNode(id),
  };
  return (
    <ul className={classes['users']}>
      {entries.map((entry) => {
        const address = addresses[entry.kind]?.(entry.id);
        return (
          <li key={`${entry.kind} ${entry.id}`}>
            {address === undefined ? entry.title : <Link href={address}>{entry.title}</Link>}{' '}
            <span className="meta">{t(`kinds.${toKindKey(entry)}`)}</span>
          </li>
        );
      })}
    </ul>
  );
}
