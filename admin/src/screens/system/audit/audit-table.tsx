import type { AuditedEvent } from '../../../api/generated/schema.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { objectPaths } from '../../../base/router/object-paths.ts';
import { usePageTree } from '../../../content/pages.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { IconName } from '../../../ui/icons/icons.ts';
import classes from './audit.module.css';
import { auditKindText } from './kinds.ts';
import type { AuditEntry, ChangeEntry } from './queries.ts';

const icons: Readonly<Record<ChangeEntry['action'], IconName>> = {
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
  const pathsOf = ({ action, kind, id, collection }: ChangeEntry) =>
    action === 'deleted'
      ? undefined
      : objectPaths({ kind, id, ...(collection === undefined ? {} : { collection }) }, siteOf);
  return (
    <div className={classes['rows']}>
      <DataTable
        className={classes['table']}
        rows={entries}
        // A commit may do several things with an object, and several people may work on a change set.
        keyOf={(entry) =>
          'event' in entry
            ? `event ${entry.id}`
            : `${entry.version} ${entry.at} ${entry.actor} ${entry.kind} ${entry.id} ${entry.action}`
        }
        columns={[
          {
            head: t('audit.columns.at'),
            className: 'tabular',
            cell: ({ at }) => <time dateTime={new Date(at * 1000).toISOString()}>{timeText(at)}</time>,
          },
          { head: t('audit.columns.who'), cell: findWho },
          {
            head: t('audit.columns.what'),
            className: classes['action'],
            attributes: (entry) => ({ 'data-action': 'event' in entry ? entry.event : entry.action }),
            cell: (entry) =>
              'event' in entry ? (
                <>
                  <Icon name="key" /> {t(`audit.events.${eventKey(entry.event)}`)}
                </>
              ) : (
                <>
                  <Icon name={icons[entry.action]} /> {t(`dashboard.actions.${entry.action}`)}
                </>
              ),
          },
          {
            head: t('audit.columns.object'),
            className: classes['object'],
            cell: (entry) =>
              'event' in entry ? (
                <EventPlace {...entry} />
              ) : (
                <ChangedObject entry={entry} paths={pathsOf(entry)} />
              ),
          },
          {
            head: t('audit.columns.versions'),
            cell: (entry) =>
              'event' in entry ? null : <VersionsLink entry={entry} paths={pathsOf(entry)} />,
          },
        ]}
      />
    </div>
  );
}

/** Who made a change, or whose access an event is about. */
export function findWho(entry: AuditEntry): string {
  return 'event' in entry ? entry.user : entry.actor;
}

/** The key of its text: the name without the part that all have. */
function eventKey<Name extends string>(event: `auth.${Name}`): Name {
  // Type boundary: the parameter has this form.
  return event.slice('auth.'.length) as Name;
}

/** What an event was about, and from where it came. */
function EventPlace({ detail, address, agent }: Pick<AuditedEvent, 'detail' | 'address' | 'agent'>) {
  return (
    <>
      <span className="meta" title={agent}>
        {address}
      </span>
      <span>{detail}</span>
    </>
  );
}

interface CellProps {
  readonly entry: ChangeEntry;
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

function nameOf({ name, slug, path, id }: ChangeEntry): string {
  return name || slug || path || (id === 0 ? '' : `#${id}`);
}
