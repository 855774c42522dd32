import { ActionIcon, Button, Group, Menu, Select } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../../../api/client.ts';
import { queryClient } from '../../../../api/query-client.ts';
import { t } from '../../../../base/i18n/index.ts';
import { Link } from '../../../../base/router/link.tsx';
import { paths } from '../../../../base/router/paths.ts';
import { runCommand } from '../../../../commands/run.ts';
import { usePageTree } from '../../../../content/pages.ts';
import { Icon } from '../../../../ui/icons/icon.tsx';
import { StatusMark } from '../../../../ui/messages/status-mark.tsx';
import type { PageStore } from '../../store/page-store.ts';
import classes from './fields.module.css';
import rows from './rows.module.css';

export function translationsQuery(id: number) {
  return queryOptions({
    queryKey: ['pages', 'translations', id],
    queryFn: () => requireData(api.GET('/pages/{id}/translations', { params: { path: { id } } })),
  });
}

/** The language versions of the page, and linking another page as one. */
export function Translations({ store }: { readonly store: PageStore }) {
  const { id, root_id } = store.base;
  const { data: versions = [] } = useQuery(translationsQuery(id));
  const { data: pages = [] } = usePageTree();
  const [chosen, setChosen] = useState<string | null>(null);
  const linked = new Set([id, ...versions.map(({ page_id }) => page_id)]);
  const choices = pages
    .filter((page) => page.root_id === root_id && !linked.has(page.id))
    .map((page) => ({ value: String(page.id), label: `${page.title} (${page.path})` }));
  const changed = () => queryClient.invalidateQueries({ queryKey: ['pages'] });
  const link = () =>
    runCommand({
      id: 'translation.link',
      label: 'translation.link',
      icon: 'translate',
      async run() {
        await requireData(
          api.POST('/pages/{id}/translations', {
            params: { path: { id } },
            body: { page_id: Number(chosen) },
          }),
        );
        setChosen(null);
        await changed();
        return { message: t('translation.linked') };
      },
    });
  const leave = () =>
    runCommand({
      id: 'translation.leave',
      label: 'translation.leave',
      icon: 'link-break',
      async run() {
        await requireData(api.DELETE('/pages/{id}/translations', { params: { path: { id } } }));
        await changed();
        return { message: t('translation.left') };
      },
    });
  return (
    <section className={classes['section']}>
      <h2>{t('translation.title')}</h2>
      {versions.length > 0 && (
        <ul className={rows['list']}>
          {versions.map((version) => (
            <li key={version.page_id} className={rows['row']}>
              <span className={rows['tag']}>{version.lang}</span>
              <Link href={paths.page(root_id, version.page_id)} className={rows['name']}>
                {version.title}
              </Link>
              <StatusMark status={version.published ? 'live' : 'draft'} />
            </li>
          ))}
        </ul>
      )}
      <Group align="end" gap={8}>
        <Select
          style={{ flex: '1 1 160px' }}
          label={t('translation.choose')}
          data={choices}
          value={chosen}
          searchable
          clearable
          limit={50}
          onChange={setChosen}
        />
        <Button variant="default" disabled={chosen === null} onClick={link}>
          {t('translation.link')}
        </Button>
        {versions.length > 0 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={t('actions.more')}>
                <Icon name="dots-three" size={20} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="link-break" />} onClick={leave}>
                {t('translation.leave')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </section>
  );
}
