import { ActionIcon, Button, Group, Select, Switch } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../base/i18n/index.ts';
import { assetResource } from '../../../../content/code/code-kinds.ts';
import { useField } from '../../../../editing/editor-store.ts';
import { Icon } from '../../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../../ui/messages/empty-state.tsx';
import { useRows } from '../../../../ui/rows/use-rows.ts';
import type { TabProps } from '../../store/page-store.ts';
import classes from './fields.module.css';
import rows from './rows.module.css';

/** CSS and JS of the page in loading order. */
export function AssetsTab({ store }: TabProps) {
  const [assigned, setAssigned] = useField(store, 'assets');
  const { data: assets = [] } = assetResource.useList();
  const [chosen, setChosen] = useState<string | null>(null);
  const free = assets.filter(({ id }) => !assigned.some(({ asset_id }) => asset_id === id));
  const add = () => {
    const asset = assets.find(({ id }) => String(id) === chosen);
    if (asset !== undefined)
      setAssigned([...assigned, { asset_id: asset.id, inherit: false, name: asset.name, kind: asset.kind }]);
    setChosen(null);
  };
  const { move, remove } = useRows(assigned, setAssigned);
  return (
    <div className={classes['form']}>
      <p className="quiet" style={{ margin: 0 }}>
        {t('assets.help')}
      </p>
      {assigned.length === 0 ? (
        <EmptyState>{t('assets.none')}</EmptyState>
      ) : (
        <ol className={rows['list']}>
          {assigned.map((asset, index) => (
            <li key={asset.asset_id} className={rows['row']}>
              <span className={rows['tag']}>{asset.kind}</span>
              <span className={rows['name']} style={{ color: 'var(--ink)' }}>
                {asset.name}
              </span>
              <div className={rows['controls']}>
                <Switch
                  size="xs"
                  label={t('assets.inherit')}
                  checked={asset.inherit}
                  onChange={(event) => {
                    const inherit = event.currentTarget.checked;
                    setAssigned(assigned.map((other) => (other === asset ? { ...other, inherit } : other)));
                  }}
                />
                <ActionIcon.Group>
                  <ActionIcon
                    size={28}
                    disabled={index === 0}
                    aria-label={t('assets.earlier', { name: asset.name })}
                    onClick={() => move(index, -1)}
                  >
                    <Icon name="arrow-up" />
                  </ActionIcon>
                  <ActionIcon
                    size={28}
                    disabled={index === assigned.length - 1}
                    aria-label={t('assets.later', { name: asset.name })}
                    onClick={() => move(index, 1)}
                  >
                    <Icon name="arrow-down" />
                  </ActionIcon>
                  <ActionIcon
                    size={28}
                    aria-label={t('assets.remove', { name: asset.name })}
                    onClick={() => remove(index)}
                  >
                    <Icon name="x" />
                  </ActionIcon>
                </ActionIcon.Group>
              </div>
            </li>
          ))}
        </ol>
      )}
      <Group align="end" gap={8}>
        <Select
          style={{ flex: '1 1 240px' }}
          label={t('assets.choose')}
          data={free.map(({ id, name, kind }) => ({ value: String(id), label: `${name} (${kind})` }))}
          value={chosen}
          searchable
          clearable
          limit={50}
          onChange={setChosen}
        />
        <Button variant="default" disabled={chosen === null} onClick={add}>
          {t('assets.add')}
        </Button>
      </Group>
    </div>
  );
}
