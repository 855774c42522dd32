import { Button, Checkbox, FileButton, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { t, timeText } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { DeleteButton } from '../../../kit/delete/confirm-deletion.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import sectionClasses from '../../../ui/layout/section.module.css';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { Facts } from '../../../ui/values/facts.tsx';
import {
  type Backup,
  backUp,
  backupAddress,
  backupsQuery,
  bundleInfoQuery,
  confirmDownload,
  deleteBackup,
  importBundle,
  previewImport,
  previewRestore,
  restore,
} from './queries.ts';
import { ReplaceDialog } from './replace-dialog.tsx';

/** All content as one file: to take away, to bring in, and what the server has kept. */
export function BundlesSection() {
  return (
    <>
      <ExportPart />
      <section className="form">
        <h2>{t('bundles.import')}</h2>
        <p className="quiet line">{t('bundles.importHelp')}</p>
        <div>
          <FileButton
            accept=".zip,application/zip"
            onChange={(file) => {
              if (file !== null) openDialog((onClose) => <ImportDialog file={file} onClose={onClose} />);
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<Icon name="upload-simple" />}>
                {t('bundles.chooseFile')}
              </Button>
            )}
          </FileButton>
        </div>
      </section>
      <Backups />
    </>
  );
}

function ExportPart() {
  const { data: info } = useQuery(bundleInfoQuery);
  const [hasMedia, setHasMedia] = useState(true);
  return (
    <section className="form">
      <h2>{t('bundles.export')}</h2>
      <p className="quiet line">{t('bundles.exportHelp')}</p>
      {info !== undefined && 'hash' in info && (
        <Facts
          facts={[
            [t('bundles.lastChange'), info.updated_at === 0 ? '–' : timeText(info.updated_at)],
            [t('bundles.hash'), info.hash.slice(0, 12)],
          ]}
        />
      )}
      <Checkbox
        label={t('bundles.withMedia')}
        description={t('bundles.withMediaHelp')}
        checked={hasMedia}
        onChange={(event) => setHasMedia(event.currentTarget.checked)}
      />
      <div>
        {/* A link, because the browser writes a large file while it comes, and shows how far it is. */}
        <Button
          component="a"
          href={`/api/v1/bundle${hasMedia ? '' : '?media=0'}`}
          download
          onClick={downloadConfirmed}
          leftSection={<Icon name="download-simple" />}
        >
          {t('bundles.download')}
        </Button>
      </div>
    </section>
  );
}

function ImportDialog({ file, onClose }: { readonly file: File; onClose(): void }) {
  const [share, setShare] = useState(0);
  return (
    <ReplaceDialog
      title={t('bundles.importTitle')}
      submit={t('bundles.replace')}
      from={`${file.name} (${sizeText(file.size)})`}
      to={t('bundles.thisServer')}
      effect={t('bundles.importEffect')}
      progress={<Progress aria-label={t('bundles.uploading')} value={share * 100} />}
      preview={() => previewImport(file, setShare)}
      run={async () => t('bundles.replaced', { backup: await importBundle(file, setShare) })}
      onClose={onClose}
    />
  );
}

function Backups() {
  const { data: backups } = useQuery(backupsQuery);
  return (
    <section className="form">
      <h2>{t('bundles.backups')}</h2>
      <p className="quiet line">{t('bundles.backupsHelp')}</p>
      <div>
        <CommandButton
          variant="default"
          command={{
            id: 'bundles.backUp',
            label: 'bundles.backUp',
            icon: 'hard-drives',
            async run() {
              const { size } = await backUp();
              return { message: t('bundles.backedUp', { size: sizeText(size) }) };
            },
          }}
        />
      </div>
      {backups?.length === 0 && <EmptyState>{t('bundles.noBackup')}</EmptyState>}
      {backups !== undefined && backups.length > 0 && (
        <ul className={sectionClasses['rows']}>
          {backups.map((backup) => (
            <BackupRow key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
    </section>
  );
}

function BackupRow({ backup }: { readonly backup: Backup }) {
  const { name, size, created_at: createdAt } = backup;
  const time = timeText(createdAt);
  return (
    <li className={sectionClasses['row']}>
      <span>
        <b>{time}</b>
        <span className="meta">
          {name} · {sizeText(size)}
        </span>
      </span>
      <Button
        component="a"
        href={backupAddress(name)}
        download
        onClick={downloadConfirmed}
        variant="subtle"
        size="compact-sm"
        aria-label={t('bundles.downloadOf', { name })}
      >
        {t('bundles.downloadShort')}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('bundles.restoreOf', { name })}
        onClick={() =>
          openDialog((onClose) => (
            <ReplaceDialog
              title={t('bundles.restoreTitle', { time })}
              submit={t('bundles.restore')}
              from={name}
              to={t('bundles.thisServer')}
              effect={t('bundles.importEffect')}
              preview={() => previewRestore(name)}
              run={async () => t('bundles.replaced', { backup: await restore(name) })}
              onClose={onClose}
            />
          ))
        }
      >
        {t('bundles.restoreShort')}
      </Button>
      <DeleteButton texts="bundles" names={{ name, time }} run={() => deleteBackup(name)} />
    </li>
  );
}

/** Lets a link go on when the user has confirmed who it is. */
function downloadConfirmed(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.currentTarget.dataset['confirmed'] === 'true') return;
  event.preventDefault();
  const link = event.currentTarget;
  void confirmDownload().then((isConfirmed) => {
    if (!isConfirmed) return;
    link.dataset['confirmed'] = 'true';
    link.click();
    delete link.dataset['confirmed'];
  });
}
