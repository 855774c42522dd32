import { ActionIcon, Button, Popover, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../../../api/client.ts';
import { queryClient } from '../../../../api/query-client.ts';
import { t, timeText } from '../../../../base/i18n/index.ts';
import { runCommand } from '../../../../commands/run.ts';
import { Tooltip } from '../../../../ui/floating/tooltip.tsx';
import { Icon } from '../../../../ui/icons/icon.tsx';
import rows from './rows.module.css';

const day = 86_400;
const lifetimes = { '1': day, '7': 7 * day, '30': 30 * day, '90': 90 * day } as const;

type Lifetime = keyof typeof lifetimes;
const names: readonly Lifetime[] = ['1', '7', '30', '90'];

function lifetimeOf(value: string | null): Lifetime {
  return names.find((name) => name === value) ?? '7';
}

/** Links that show the page, also as a draft, without a login. */
export function PreviewLinksButton({ pageId }: { readonly pageId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={380}
      shadow="md"
      radius="md"
      trapFocus
    >
      <Popover.Target>
        <Tooltip label={t('previewLinks.title')}>
          <ActionIcon
            aria-label={t('previewLinks.title')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="share-network" size={20} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>{isOpen && <PreviewLinks pageId={pageId} />}</Popover.Dropdown>
    </Popover>
  );
}

function PreviewLinks({ pageId }: { readonly pageId: number }) {
  const key = ['preview-links', pageId];
  const path = { id: pageId };
  const { data: links = [] } = useQuery({
    queryKey: key,
    queryFn: () => requireData(api.GET('/pages/{id}/preview-links', { params: { path } })),
  });
  const [note, setNote] = useState('');
  const [days, setDays] = useState<Lifetime>('7');
  const [made, setMade] = useState<string>();
  const changed = () => queryClient.invalidateQueries({ queryKey: key });
  const make = () =>
    runCommand({
      id: 'previewLinks.make',
      label: 'previewLinks.make',
      icon: 'link',
      async run() {
        const { url } = await requireData(
          api.POST('/pages/{id}/preview-links', { params: { path }, body: { ttl: lifetimes[days], note } }),
        );
        setMade(url);
        setNote('');
        await changed();
        // Only secure origins have a clipboard; the link stays on the screen in any case.
        await navigator.clipboard?.writeText(url);
        return { message: t('previewLinks.copied') };
      },
    });
  const remove = (id: number) =>
    runCommand({
      id: 'previewLinks.remove',
      label: 'previewLinks.remove',
      icon: 'trash',
      async run() {
        await requireData(api.DELETE('/preview-links/{id}', { params: { path: { id } } }));
        await changed();
        return { message: t('previewLinks.removed') };
      },
    });
  return (
    <Stack gap={12}>
      <p className="quiet" style={{ margin: 0 }}>
        {t('previewLinks.help')}
      </p>
      {made !== undefined && (
        <TextInput
          readOnly
          label={t('previewLinks.link')}
          value={made}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <TextInput
        label={t('previewLinks.note')}
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Select
        label={t('previewLinks.lifetime')}
        data={names.map((value) => ({ value, label: t('previewLinks.days', { count: Number(value) }) }))}
        value={days}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => setDays(lifetimeOf(value))}
      />
      <Button leftSection={<Icon name="link" />} onClick={make}>
        {t('previewLinks.make')}
      </Button>
      {links.length > 0 && (
        <ul className={rows['list']}>
          {links.map((link) => (
            <li key={link.id} className={rows['row']}>
              <span style={{ flex: 1, minWidth: 0 }}>
                {link.note || t('previewLinks.noNote')}
                <br />
                <span className="meta">{t('previewLinks.until', { time: timeText(link.expires_at) })}</span>
              </span>
              <ActionIcon size={28} aria-label={t('previewLinks.remove')} onClick={() => remove(link.id)}>
                <Icon name="trash" />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
