import { Switch, TextInput } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { useField } from '../../editing/editor-store.ts';
import type { PenStore } from './pen-commands.ts';
import classes from './pens.module.css';

export interface SharingTabProps {
  readonly store: PenStore;
  readonly address: string;
  readonly copyAddress: Command;
}

/** Who may open the address of a pen, and what is seen there. */
export function SharingTab({ store, address, copyAddress }: SharingTabProps) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [isPublic, setPublic] = useField(store, 'public');
  const [showsCode, setShowsCode] = useField(store, 'show_code');
  return (
    <div className={classes['sharing']}>
      <Switch
        label={t('pens.public')}
        description={t('pens.publicHelp')}
        checked={isPublic}
        onChange={(event) => setPublic(event.currentTarget.checked)}
      />
      <Switch
        label={t('pens.showCode')}
        description={t('pens.showCodeHelp')}
        checked={showsCode}
        onChange={(event) => setShowsCode(event.currentTarget.checked)}
      />
      <div className={classes['address']}>
        <TextInput
          readOnly
          label={t('pens.address')}
          description={t(base.public ? 'pens.addressPublic' : 'pens.addressPrivate')}
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CommandButton command={copyAddress} variant="default" />
      </div>
      <p className="quiet line">{t('pens.isolation')}</p>
    </div>
  );
}
