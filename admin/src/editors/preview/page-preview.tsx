import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import type { PageTreeEntry } from '../../content/pages.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import classes from './device.module.css';
import { DeviceChoice, useDevice } from './device.tsx';
import type { EditMessage, ToFrame } from './messages.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { type UnsavedPage, usePreview } from './use-preview.ts';
import { viewPage } from './view-page.ts';

export interface EditedWords {
  /** Labels of regions by their names; the same object as long as they are the same. */
  readonly labels: Readonly<Record<string, string>>;
  /** Words were clicked. */
  onPick(name: string): void;
}

export interface PagePreviewProps {
  readonly page: Pick<PageTreeEntry, 'id' | 'title' | 'path' | 'published' | 'root_id'>;
  /** What is shown in place of what is stored; the same object as long as it is the same. */
  readonly unsaved: UnsavedPage;
  /** Changes when something else that the page shows has changed. */
  readonly version: number;
  /** Words that are edited beside it. */
  readonly words?: EditedWords | undefined;
  /** Controls before the choice of the width. */
  readonly choice: ReactNode;
}

/** A page with what is not saved yet, in the width of a device. */
export function PagePreview({ page, unsaved, version, words, choice }: PagePreviewProps) {
  const { html, error } = usePreview(page.id, unsaved, version);
  const device = useDevice('ic-device');
  const [send, setSend] = useState<{ readonly to: (message: ToFrame) => void }>();
  const labels = words?.labels;
  useEffect(() => {
    if (labels !== undefined) send?.to(createWordsMessage(labels));
  }, [send, labels]);
  return (
    <>
      <div className={classes['bar']}>
        {choice}
        <DeviceChoice device={device} />
        <span className="rest" />
        <CommandIconButton command={viewPage(page)} />
      </div>
      {error !== undefined && (
        <Strip tone="brick">
          {error.isTemplate ? t('preview.failed', { error: error.text }) : error.text}
        </Strip>
      )}
      <div ref={device.stage} className={classes['stage']}>
        <PreviewFrame
          title={t('preview.of', { title: page.title })}
          html={html}
          base={page.path}
          className={classes['frame']}
          style={device.frameStyle}
          onConnect={(to) => setSend({ to })}
          onMessage={(message) => {
            if (message.kind === 'pick' && message.region !== undefined) words?.onPick(message.region);
          }}
        />
      </div>
    </>
  );
}

/** Turns editing of words on in the frame. Blocks are not edited here, so their texts are not needed. */
function createWordsMessage(regions: EditMessage['regions']): EditMessage {
  const texts = { add: '', addFirst: '', page: '', move: '', more: '' };
  return { kind: 'edit', origin: '', regions, names: {}, slots: {}, texts };
}
