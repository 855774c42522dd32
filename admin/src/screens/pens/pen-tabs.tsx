import { Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { useField } from '../../editing/editor-store.ts';
import { useFieldFindings } from '../../editing/findings.ts';
import { LazyCodeEditor } from '../../editors/code/lazy-code-editor.tsx';
import { TabBar } from '../../ui/layout/tab-bar.tsx';
import type { PenCommands, PenStore } from './pen-commands.ts';
import { PenResult } from './pen-result.tsx';
import classes from './pens.module.css';
import { SharingTab } from './sharing-tab.tsx';

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
  const [tab, setTab] = useState<string | null>('html');
  const [title, setTitle] = useField(store, 'title');
  const language = codes.find((code) => code === tab);
  return (
    <div className={classes['texts']}>
      <TextInput
        className={classes['title'] ?? ''}
        label={t('fields.title')}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes['tabs'] ?? ''}>
        <TabBar value={tab}>
          {codes.map((code) => (
            <Tabs.Tab key={code} value={code}>
              {code.toUpperCase()}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="sharing">{t('pens.sharing')}</Tabs.Tab>
          {hasResult && <Tabs.Tab value="result">{t('pens.result')}</Tabs.Tab>}
        </TabBar>
        <Tabs.Panel value={tab ?? 'html'} className={classes['panel'] ?? ''}>
          {language !== undefined && <PenCode key={language} store={store} language={language} />}
          {tab === 'sharing' && (
            <SharingTab store={store} address={address} copyAddress={commands.copyAddress} />
          )}
          {tab === 'result' && <PenResult store={store} commands={commands} />}
        </Tabs.Panel>
      </Tabs>
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
