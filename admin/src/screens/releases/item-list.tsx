import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ChangeSet, ChangeSetItem, ItemDiff } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { objectPaths } from '../../base/router/object-paths.ts';
import { usePageTree } from '../../content/pages.ts';
import { isOpen } from '../../content/releases/releases.ts';
import { confirmFirst } from '../../kit/form/confirm-first.tsx';
import { FieldStates } from '../../kit/releases/field-states.tsx';
import { fieldText, itemText } from '../../kit/releases/texts.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { takeOut } from './queries.ts';
import classes from './releases.module.css';

interface ItemListProps {
  readonly release: ChangeSet;
  readonly items: readonly ChangeSetItem[];
  /** Undefined until it is known. */
  readonly diff: readonly ItemDiff[] | undefined;
}

/** The objects of a release, each with what is changed of it. */
export function ItemList({ release, items, diff }: ItemListProps) {
  const { data: pages } = usePageTree();
  if (items.length === 0) return <EmptyState>{t('releases.noItems')}</EmptyState>;
  return (
    <ul className={classes['items']} aria-label={t('releases.items')}>
      {items.map((item) => {
        const found = diff?.find(({ kind, id }) => kind === item.kind && id === item.id);
        const site = pages?.find(({ id }) => id === item.id)?.root_id;
        return (
          <li key={`${item.kind}:${item.id}`}>
            <Item
              release={release}
              item={item}
              diff={found}
              path={item.op === 'create' ? undefined : objectPaths(item, () => site)?.object}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface ItemProps {
  readonly release: ChangeSet;
  readonly item: ChangeSetItem;
  readonly diff: ItemDiff | undefined;
  /** Where the object is edited; undefined if it is nowhere yet. */
  readonly path: string | undefined;
}

function Item({ release, item, diff, path }: ItemProps) {
  const [isShown, setShown] = useState(item.conflicts.length > 0);
  const name = itemText(item);
  return (
    <>
      <div className={classes['item']}>
        <div className={classes['what']}>
          <b>{path === undefined ? name : <Link href={path}>{name}</Link>}</b>
          <span className="meta">
            {[t(`releases.ops.${item.op}`), item.fields.map(fieldText).join(', '), item.authors.join(', ')]
              .filter((text) => text !== '')
              .join(' · ')}
          </span>
        </div>
        {diff !== undefined && diff.fields.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={isShown}
            aria-label={t('releases.differencesOf', { name })}
            onClick={() => setShown(!isShown)}
          >
            {t('releases.differences')}
          </Button>
        )}
        {isOpen(release) && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('releases.takeOutOf', { name })}
            onClick={() => askToTakeOut(release, item)}
          >
            {t('releases.takeOut')}
          </Button>
        )}
      </div>
      {isShown && diff?.fields.map((field) => <FieldStates key={field.field} of={name} state={field} />)}
    </>
  );
}

function askToTakeOut({ id }: ChangeSet, item: ChangeSetItem): void {
  const name = itemText(item);
  confirmFirst({
    title: t('releases.takeOutOf', { name }),
    loss: t('releases.takeOutLoss'),
    submit: t('releases.takeOut'),
    run: () => takeOut(id, item),
  });
}
