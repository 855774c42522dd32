import { t, timeText } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { objectPaths } from '../../../base/router/object-paths.ts';
import { usePageTree } from '../../../content/pages.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { IconName } from '../../../ui/icons/icons.ts';
import classes from './audit.module.css';
import { auditKindText } from './kinds.ts';
import type { AuditEntry } from './queries.ts';

const icons: Readonly<Record<AuditEntry['action'], IconName>> = {
  created: 'plus',
  updated: 'pencil-simple',
  deleted: 'trash',
  moved: 'arrows-out-cardinal',
  imported: 'download-simple',
};

/** Changes as rows, each with its object and the versions of it. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { data: pages } = usePageTree();
  const siteOf = (page: number) => pages?.find(({ id }) => id === page)?.root_id;
  return (
    <div className={classes['rows']}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {(['at', 'who', 'what', 'object', 'versions'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`audit.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            // A commit may do several things with an object.
            <Row
              key={`${entry.version} ${entry.kind} ${entry.id} ${entry.action}`}
              entry={entry}
              siteOf={siteOf}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly entry: AuditEntry;
  siteOf(page: number): number | undefined;
}

function Row({ entry, siteOf }: RowProps) {
  const { at, actor, action, kind, id, collection } = entry;
  const object = { kind, id, ...(collection === undefined ? {} : { collection }) };
  const paths = action === 'deleted' ? undefined : objectPaths(object, siteOf);
  const name = entry.name || entry.slug || entry.path || (id === 0 ? '' : `#${id}`);
  return (
    <tr>
      <td className="tabular">
        <time dateTime={new Date(at * 1000).toISOString()}>{timeText(at)}</time>
      </td>
      <td>{actor}</td>
      <td className={classes['action']} data-action={action}>
        <Icon name={icons[action]} /> {t(`dashboard.actions.${action}`)}
      </td>
      <td className={classes['object']}>
        <span className="meta">
          {auditKindText(kind)}
          {collection !== undefined && ` · ${collection}`}
        </span>
        {paths === undefined ? <span>{name}</span> : <Link href={paths.object}>{name}</Link>}
      </td>
      <td>
        {paths?.versions !== undefined && (
          <Link href={paths.versions} aria-label={t('audit.versionsOf', { name })}>
            {t('history.title')}
          </Link>
        )}
      </td>
    </tr>
  );
}
