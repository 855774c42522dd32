import { t, timeText } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { objectPaths } from '../../../base/router/object-paths.ts';
import { usePageTree } from '../../../content/pages.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
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
  const pathsOf = ({ action, kind, id, collection }: AuditEntry) =>
    action === 'deleted'
      ? undefined
      : objectPaths({ kind, id, ...(collection === undefined ? {} : { collection }) }, siteOf);
  return (
    <div className={classes['rows']}>
      <DataTable
        className={classes['table']}
        rows={entries}
        // A commit may do several things with an object.
        keyOf={({ version, kind, id, action }) => `${version} ${kind} ${id} ${action}`}
        columns={[
          {
            head: t('audit.columns.at'),
            className: 'tabular',
            cell: ({ at }) => <time dateTime={new Date(at * 1000).toISOString()}>{timeText(at)}</time>,
          },
          { head: t('audit.columns.who'), cell: ({ actor }) => actor },
          {
            head: t('audit.columns.what'),
            className: classes['action'],
            attributes: ({ action }) => ({ 'data-action': action }),
            cell: ({ action }) => (
              <>
                <Icon name={icons[action]} /> {t(`dashboard.actions.${action}`)}
              </>
            ),
          },
          {
            head: t('audit.columns.object'),
            className: classes['object'],
            cell: (entry) => <ChangedObject entry={entry} paths={pathsOf(entry)} />,
          },
          {
            head: t('audit.columns.versions'),
            cell: (entry) => <VersionsLink entry={entry} paths={pathsOf(entry)} />,
          },
        ]}
      />
    </div>
  );
}

interface CellProps {
  readonly entry: AuditEntry;
  /** Undefined where nothing can be opened. */
  readonly paths: ReturnType<typeof objectPaths>;
}

function ChangedObject({ entry, paths }: CellProps) {
  const { kind, collection } = entry;
  return (
    <>
      <span className="meta">
        {auditKindText(kind)}
        {collection !== undefined && ` · ${collection}`}
      </span>
      {paths === undefined ? <span>{nameOf(entry)}</span> : <Link href={paths.object}>{nameOf(entry)}</Link>}
    </>
  );
}

function VersionsLink({ entry, paths }: CellProps) {
  if (paths?.versions === undefined) return null;
  return (
    <Link href={paths.versions} aria-label={t('audit.versionsOf', { name: nameOf(entry) })}>
      {t('history.title')}
    </Link>
  );
}

function nameOf({ name, slug, path, id }: AuditEntry): string {
  return name || slug || path || (id === 0 ? '' : `#${id}`);
}
