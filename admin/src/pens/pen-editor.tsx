import { Tabs, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../app/history.ts';
import { Link } from '../app/link.tsx';
import { paths } from '../app/paths.ts';
import { LazyCodeEditor } from '../code/lazy-code-editor.tsx';
import { CommandButton, CommandMenu } from '../commands/command-button.tsx';
import { useCommands } from '../commands/registry.ts';
import { runCommand } from '../commands/run.ts';
import { ConflictDialog } from '../editing/conflict-dialog.tsx';
import { DraftStrip } from '../editing/draft-strip.tsx';
import { useField, useIsChanged, useSaveState } from '../editing/editor-store.ts';
import { FailedStrip } from '../editing/failed-strip.tsx';
import { useFieldFindings } from '../editing/findings.ts';
import { type OpenObject, useOpenObject } from '../editing/open-object.ts';
import { SaveStateText } from '../editing/save-state-text.tsx';
import { text } from '../i18n/index.ts';
import { useSession } from '../session/queries.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SplitPane } from '../ui/split-pane.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { Strip } from '../ui/strip.tsx';
import { type PenCommands, type PenStore, penCommands } from './pen-commands.ts';
import { PenResult } from './pen-result.tsx';
import classes from './pens.module.css';
import { deletePen, type EditedPen, type Pen } from './queries.ts';
import { SharingTab } from './sharing-tab.tsx';

/** A pen: its texts, beside them what they make. */
export function PenEditor({ pen }: { readonly pen: Pen }) {
  const { data: session } = useSession();
  const open = useOpenObject<EditedPen>(session?.user?.id ?? 0, 'pen', pen.id, pen);
  return open.store === undefined ? null : <OpenPen open={open} store={open.store} />;
}

interface OpenPenProps {
  readonly open: OpenObject<EditedPen>;
  readonly store: PenStore;
}

function OpenPen({ open, store }: OpenPenProps) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const isChanged = useIsChanged(store);
  const state = useSaveState(store);
  const isTight = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false });
  const [isDeleting, setDeleting] = useState(false);
  const commands = penCommands(store, () => text('pens.copied'));
  const { save, saveAnyway, discard, openResult, openView, copyAddress } = commands;
  useCommands([save, discard, openResult, openView, copyAddress]);
  const title = base.title || t('pens.untitled');
  return (
    <div className={classes['editor']}>
      <PageHeader
        scope={
          <>
            <Link href={paths.pens()}>{t('nav.pens')}</Link> · {t('frame.allSites')}
          </>
        }
        title={title}
        actions={
          <>
            {isChanged && <StatusMark status="unsaved" />}
            <SaveStateText store={store} />
            <CommandButton command={save} />
            <CommandMenu
              label={t('page.more')}
              commands={[
                ...[discard, openResult, openView, copyAddress],
                {
                  id: 'pen.delete',
                  label: 'pens.delete',
                  icon: 'trash',
                  tone: 'danger',
                  run: () => setDeleting(true),
                },
              ]}
            />
          </>
        }
      />
      <DraftStrip {...open} />
      {state.kind === 'failed' && <FailedStrip error={state.error} save={save} saveAnyway={saveAnyway} />}
      {state.kind === 'gone' && <Strip tone="brick">{t('code.gone')}</Strip>}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as EditedPen}
          onMerged={() => void runCommand(save)}
        />
      )}
      <div className={classes['panes']}>
        {isTight ? (
          <PenTabs store={store} commands={commands} hasResult />
        ) : (
          <SplitPane
            id="pen"
            label={t('preview.width')}
            initial={560}
            min={280}
            max={1400}
            first={<PenTabs store={store} commands={commands} hasResult={false} />}
            restMin={320}
            isEndSized
          >
            <PenResult store={store} commands={commands} />
          </SplitPane>
        )}
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={t('pens.deleteTitle', { name: title })}
          loss={t('pens.deleteLoss')}
          submit={t('pens.delete')}
          run={async () => {
            await deletePen(base.uuid);
            goTo(paths.pens());
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

const codes = ['html', 'css', 'js'] as const;

interface PenTabsProps {
  readonly store: PenStore;
  readonly commands: PenCommands;
  /** The result has no place beside the texts. */
  readonly hasResult: boolean;
}

function PenTabs({ store, commands, hasResult }: PenTabsProps) {
  const { t } = useTranslation();
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
        <Tabs.List>
          {codes.map((code) => (
            <Tabs.Tab key={code} value={code}>
              {code.toUpperCase()}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="sharing">{t('pens.sharing')}</Tabs.Tab>
          {hasResult && <Tabs.Tab value="result">{t('pens.result')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value={tab ?? 'html'} className={classes['panel'] ?? ''}>
          {language !== undefined && <PenCode key={language} store={store} language={language} />}
          {tab === 'sharing' && <SharingTab store={store} copyAddress={commands.copyAddress} />}
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
