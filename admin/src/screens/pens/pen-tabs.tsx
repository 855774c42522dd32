import { Switch, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { useField } from '../../editing/editor-store.ts';
import { useFieldFindings } from '../../editing/findings.ts';
import { LazyCodeEditor } from '../../editors/code/lazy-code-editor.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import type { PenCommands, PenStore } from './pen-commands.ts';
import { PenResult } from './pen-result.tsx';
import classes from './pens.module.css';

const codes = ['html', 'css', 'js'] as const;

interface PenTabsProps {
  readonly store: PenStore;
  readonly commands: PenCommands;
  /** What is given to others. */
  readonly address: string;
  /** The result has no place beside the texts. */
  readonly hasResult: boolean;
}

/** The texts of a pen, and who may see it. */
export function PenTabs({ store, commands, address, hasResult }: PenTabsProps) {
  const [tab, setTab] = useState<(typeof codes)[number] | 'sharing' | 'result'>('html');
  const [title, setTitle] = useField(store, 'title');
  return (
    <div className="fill">
      <TextInput
        className={classes['title'] ?? ''}
        label={t('fields.title')}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TabPanes
        value={tab}
        paneClassName={classes['panel']}
        tabs={[
          ...codes.map((code) => ({
            name: code,
            label: code.toUpperCase(),
            content: <PenCode key={code} store={store} language={code} />,
          })),
          {
            name: 'sharing',
            label: t('pens.sharing'),
            content: <SharingTab store={store} address={address} copyAddress={commands.copyAddress} />,
          },
          hasResult && {
            name: 'result',
            label: t('pens.result'),
            content: <PenResult store={store} commands={commands} />,
          },
        ]}
        onChange={setTab}
      />
    </div>
  );
}

function PenCode({
  store,
  language,
}: {
  readonly store: PenStore;
  readonly language: (typeof codes)[number];
}) {
  const [value, setValue] = useField(store, language);
  const findings = useFieldFindings(store, language);
  return (
    <LazyCodeEditor
      label={language.toUpperCase()}
      language={language}
      value={value}
      findings={findings}
      onChange={setValue}
    />
  );
}

interface SharingTabProps {
  readonly store: PenStore;
  readonly address: string;
  readonly copyAddress: Command;
}

/** Who may open the address of a pen, and what is seen there. */
function SharingTab({ store, address, copyAddress }: SharingTabProps) {
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
