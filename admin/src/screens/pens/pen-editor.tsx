import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { runCommand } from '../../commands/run.ts';
import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { DraftStrip } from '../../editing/draft-strip.tsx';
import { useSaveState } from '../../editing/editor-store.ts';
import { FailedStrip } from '../../editing/failed-strip.tsx';
import { type OpenObject, useOpenObject } from '../../editing/open-object.ts';
import { SaveActions } from '../../editing/save-actions.tsx';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useIsTight } from '../../ui/layout/use-is-tight.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { penAddresses } from './addresses.ts';
import { type PenCommands, type PenStore, penCommands } from './pen-commands.ts';
import { PenResult } from './pen-result.tsx';
import { PenTabs } from './pen-tabs.tsx';
import classes from './pens.module.css';
import { type EditedPen, type Pen, pens } from './queries.ts';

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
  const { uuid, title } = useSyncExternalStore(store.subscribe, () => store.base);
  const isTight = useIsTight();
  const [isDeleting, setDeleting] = useState(false);
  const { data: session } = useSession();
  const addresses = penAddresses(uuid, session?.remote?.url);
  const commands = penCommands(store, addresses);
  const { save, discard, openResult, openView, copyAddress } = commands;
  useCommands([save, discard, openResult, openView, copyAddress]);
  return (
    <div className={classes['editor']}>
      <PenHead store={store} commands={commands} onDelete={() => setDeleting(true)} />
      <PenStrips open={open} store={store} commands={commands} />
      <div className={classes['panes']}>
        {isTight ? (
          <PenTabs store={store} commands={commands} address={addresses.shared} hasResult />
        ) : (
          <SplitPane
            id="pen"
            label={t('preview.width')}
            initial={560}
            min={280}
            max={1400}
            first={<PenTabs store={store} commands={commands} address={addresses.shared} hasResult={false} />}
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
            await pens.remove(uuid);
            goTo(paths.pens());
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

interface PenPartProps {
  readonly store: PenStore;
  readonly commands: PenCommands;
}

function PenHead({ store, commands, onDelete }: PenPartProps & { readonly onDelete: () => void }) {
  const { t } = useTranslation();
  const { title } = useSyncExternalStore(store.subscribe, () => store.base);
  // Whether a save can be done depends on it.
  const { save, discard, openResult, openView, copyAddress } = commands;
  return (
    <PageHeader
      scope={
        <>
          <Link href={paths.pens()}>{t('nav.pens')}</Link> · {t('frame.allSites')}
        </>
      }
      title={title || t('pens.untitled')}
      actions={
        <SaveActions
          store={store}
          save={save}
          commands={[
            ...[discard, openResult, openView, copyAddress],
            { id: 'pen.delete', label: 'pens.delete', icon: 'trash', tone: 'danger', run: onDelete },
          ]}
        />
      }
    />
  );
}

/** What stands between an editor and a save. */
function PenStrips({ open, store, commands }: PenPartProps & Pick<OpenPenProps, 'open'>) {
  const { t } = useTranslation();
  const state = useSaveState(store);
  const { save, saveAnyway } = commands;
  return (
    <>
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
    </>
  );
}
