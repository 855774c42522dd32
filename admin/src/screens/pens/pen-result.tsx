import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useField } from '../../editing/editor-store.ts';
import { useContentVersion } from '../../editors/preview/content-version.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { type PenDocument, penFrameReady } from './frame/messages.ts';
import type { PenCommands, PenStore } from './pen-commands.ts';
import classes from './pens.module.css';
import { renderPen } from './queries.ts';

/** A result is asked for so long after the last key, in milliseconds: each one runs its scripts from the start. */
const waitMs = 500;

/** What the texts make, saved or not. */
export function PenResult({ store, commands }: { readonly store: PenStore; readonly commands: PenCommands }) {
  const { uuid } = useSyncExternalStore(store.subscribe, () => store.base);
  const [title] = useField(store, 'title');
  const [html] = useField(store, 'html');
  const [css] = useField(store, 'css');
  const [js] = useField(store, 'js');
  const [runs, setRuns] = useState(0);
  // As one text, so that the same texts are the same question.
  const [asked] = useDebouncedValue(JSON.stringify({ title, html, css, js }), waitMs);
  const version = useContentVersion();
  const { data, error } = useQuery({
    queryKey: ['pen-result', uuid, asked, version],
    queryFn: ({ signal }) => renderPen(uuid, JSON.parse(asked), signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <section className={classes['result']} aria-label={t('pens.result')}>
      <div className={classes['bar']}>
        <b>{t('pens.result')}</b>
        <span className="rest" />
        <CommandIconButton
          command={{
            id: 'pen.run',
            label: 'pens.run',
            icon: 'arrow-clockwise',
            keys: 'mod+Enter',
            run: () => setRuns(runs + 1),
          }}
        />
        <CommandIconButton command={commands.openResult} />
      </div>
      {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
      {data !== undefined && (
        <ResultFrame key={`${runs} ${data}`} title={t('pens.resultOf', { title })} html={data} />
      )}
    </section>
  );
}

/** Runs a document once, in a frame whose origin is nobody's. */
function ResultFrame({ title, html }: { readonly title: string; readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const send = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      if (source !== target || data !== penFrameReady) return;
      // The frame has no origin that could be named.
      target?.postMessage({ html } satisfies PenDocument, '*');
    };
    window.addEventListener('message', send);
    return () => window.removeEventListener('message', send);
  }, [html]);
  return <iframe ref={frame} title={title} src="/cms-admin/pen-frame" className={classes['frame']} />;
}
