import { useQuery } from '@tanstack/react-query';
import { failureText } from '../../api/failure-text.ts';
import type { ChangeSet } from '../../api/generated/schema.ts';
import { findText, t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { diffQuery } from '../../content/releases/releases.ts';
import { stateText } from '../../kit/releases/texts.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { releaseCommands } from './commands.tsx';
import { ItemList } from './item-list.tsx';
import { itemsQuery } from './queries.ts';
import classes from './releases.module.css';

/** A release: what it changes, how that differs from what is live, and when it goes live. */
export function Release({ release }: { readonly release: ChangeSet }) {
  const { id, name, note, failure, conflicts, state } = release;
  const { data: items, error } = useQuery(itemsQuery(id));
  const { data: diff } = useQuery(diffQuery(id));
  const { publish, others } = releaseCommands(release, items, diff);
  useCommands([...(publish === undefined ? [] : [publish]), ...others]);
  return (
    <div className="screen">
      <PageHeader
        scope={
          <>
            <Link href={paths.releases()}>{t('nav.releases')}</Link> · {t('frame.allSites')}
          </>
        }
        title={name}
        actions={
          <>
            {publish !== undefined && <CommandButton command={publish} />}
            <CommandMenu label={t('page.more')} commands={others} />
          </>
        }
      />
      {failure !== null && (
        <Strip tone="brick">
          {t('releases.failed', {
            reason: findText(`errors.${failure.code}`, failure.params) ?? failure.error,
          })}
        </Strip>
      )}
      {conflicts > 0 && state !== 'published' && (
        <Strip>{t('releases.conflicts', { count: conflicts })}</Strip>
      )}
      {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
      <div className="body column">
        <p className="quiet line">{stateText(release)}</p>
        {note !== '' && <p className={classes['note']}>{note}</p>}
        {items !== undefined && <ItemList release={release} items={items} diff={diff} />}
      </div>
    </div>
  );
}
