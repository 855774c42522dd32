import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { moveCommand } from '../commands/page-commands.ts';
import { collectSubtree, type TreeIndex, textFilter } from '../model/tree-model.ts';
import classes from './move-page.module.css';

export interface MovePageProps {
  readonly page: PageTreeEntry;
  readonly tree: TreeIndex<PageTreeEntry>;
  onClose(): void;
}

/** Most pages in the list; more are found by typing. */
const maxRows = 60;

/** Chooses the new page above by search. The page becomes the last one there. */
export function MovePage({ page, tree, onClose }: MovePageProps) {
  const [query, setQuery] = useState('');
  const [parent, setParent] = useState('');
  const moved = collectSubtree(tree, page.id);
  const matches = textFilter(query) ?? (() => true);
  const pages = [...tree.byId.values()].filter((other) => !moved.has(other.id) && matches(other));
  const move = async () => {
    onClose();
    const parentId = Number(parent);
    const index = (tree.children.get(parentId) ?? []).filter(({ id }) => id !== page.id).length;
    await runCommand(moveCommand(tree, page, { parentId, index }));
  };
  return (
    <Dialog onClose={onClose} size={520} title={t('page.moveTitle', { title: page.title })}>
      <Stack gap={12}>
        <TextInput
          data-autofocus
          label={t('page.moveSearch')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Radio.Group value={parent} onChange={setParent} label={t('page.newParent')}>
          <div className={classes['list']}>
            {pages.slice(0, maxRows).map((entry) => (
              <Radio
                key={entry.id}
                value={String(entry.id)}
                label={
                  <>
                    {entry.title} <span className="meta">{entry.path}</span>
                  </>
                }
              />
            ))}
            {pages.length > maxRows && (
              <p className="meta">{t('page.moreByTyping', { count: pages.length - maxRows })}</p>
            )}
          </div>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button disabled={parent === ''} onClick={move}>
            {t('page.move')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
