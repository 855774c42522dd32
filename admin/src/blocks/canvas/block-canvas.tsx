import { SegmentedControl } from '@mantine/core';
import { useElementSize, useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FromFrame, KeyMessage, ToFrame } from '../../preview/messages.ts';
import { PreviewFrame } from '../../preview/preview-frame.tsx';
import { usePreview } from '../../preview/use-preview.ts';
import { Strip } from '../../ui/strip.tsx';
import { type BlockEditing, useEditing } from '../editing.ts';
import type { PreviewPlan } from '../preview-plan.ts';
import classes from './block-canvas.module.css';
import { CanvasLink, type CanvasParts } from './canvas-link.ts';

/** Widths in pixels; `fit` is that of the pane. */
const widths = { fit: 0, '390': 390, '768': 768, '1280': 1280 } as const;
type Width = keyof typeof widths;

export interface BlockCanvasProps {
  readonly editing: BlockEditing;
  readonly plan: PreviewPlan;
  readonly title: string;
  /** Buttons at the end of the bar. */
  readonly actions: ReactNode;
  readonly parts: Omit<CanvasParts, 'toScreen'>;
  /** The page does not print the tree. */
  readonly onUnprinted: (() => void) | undefined;
}

/** The page with its blocks outlined: a click chooses one, and edits its text. */
export function BlockCanvas(props: BlockCanvasProps) {
  const { editing, plan, title, actions, parts, onUnprinted } = props;
  const { t } = useTranslation();
  const isTyping = useEditing(editing, () => editing.isTyping);
  const { html, error } = usePreview(plan.pageId, plan.body, plan.version, isTyping ? undefined : 0);
  const [width, setWidth] = useLocalStorage<Width>({
    key: 'ic-block-device',
    defaultValue: '1280',
    getInitialValueInEffect: false,
  });
  const stage = useElementSize();
  const frame = useRef<HTMLIFrameElement>(null);
  const device = widths[width] || Math.max(320, stage.width);
  const scale = Math.min(1, stage.width / device || 1);
  const toScreen = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const box = frame.current?.getBoundingClientRect();
    return { x: (box?.left ?? 0) + x * scale, y: (box?.top ?? 0) + y * scale };
  };
  const { link, connect, receive } = useCanvasLink(editing, { ...parts, toScreen });
  useEffect(() => link.setUp(plan.origin), [link, plan.origin]);
  const isUnprinted = html !== undefined && !html.includes(`<!--ic-blocks:${plan.origin}-->`);
  const tell = useRef(onUnprinted);
  tell.current = onUnprinted;
  useEffect(() => {
    if (isUnprinted) tell.current?.();
  }, [isUnprinted]);
  return (
    <section className={classes['canvas']} aria-label={t('blocks.canvas')}>
      <div className={classes['bar']}>
        <SegmentedControl
          size="xs"
          aria-label={t('preview.device')}
          value={width}
          onChange={(value) => setWidth(value in widths ? (value as Width) : 'fit')}
          data={Object.keys(widths).map((value) => ({
            value,
            label: value === 'fit' ? t('preview.fit') : value,
          }))}
        />
        <span className="meta tabular">{scale < 1 ? `${Math.round(scale * 100)} %` : ''}</span>
        <span className={classes['rest']} />
        {actions}
      </div>
      {error !== undefined && (
        <Strip tone="brick">
          {error.isTemplate ? t('preview.failed', { error: error.text }) : error.text}
        </Strip>
      )}
      <div ref={stage.ref} className={classes['stage']}>
        <PreviewFrame
          title={t('preview.of', { title })}
          html={html}
          base={plan.path}
          element={frame}
          className={classes['frame']}
          style={{
            width: device,
            height: stage.height / scale,
            left: Math.max(0, (stage.width - device * scale) / 2),
            transform: `scale(${scale})`,
          }}
          onConnect={connect}
          onMessage={receive}
        />
      </div>
    </section>
  );
}

/** The conversation with the frame, which goes on while this is drawn again. */
function useCanvasLink(editing: BlockEditing, parts: CanvasParts) {
  const latest = useRef(parts);
  latest.current = parts;
  const [send, setSend] = useState<{ readonly to: (message: ToFrame) => void }>();
  const link = useMemo(
    () => new CanvasLink(editing, () => latest.current, send?.to ?? (() => {})),
    [editing, send],
  );
  useEffect(() => link.start(), [link]);
  return {
    link,
    connect: (to: (message: ToFrame) => void) => setSend({ to }),
    receive: (message: Exclude<FromFrame, KeyMessage>) => link.receive(message),
  };
}
