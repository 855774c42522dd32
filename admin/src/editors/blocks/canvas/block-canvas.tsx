import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { DropOutside } from '../../../kit/tree/move.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import device from '../../preview/device.module.css';
import { DeviceChoice, useDevice } from '../../preview/device.tsx';
import type { FromFrame, KeyMessage, ToFrame } from '../../preview/messages.ts';
import { PreviewFrame } from '../../preview/preview-frame.tsx';
import { usePreview } from '../../preview/use-preview.ts';
import { type BlockEditing, useEditing } from '../state/editing.ts';
import type { PreviewPlan } from '../state/preview-plan.ts';
import classes from './block-canvas.module.css';
import { CanvasLink, type CanvasParts, type TextInPage } from './canvas-link.ts';
import { CanvasText } from './canvas-text.tsx';
import { pageDrop } from './carry.ts';

export interface BlockCanvasProps {
  readonly editing: BlockEditing;
  readonly plan: PreviewPlan;
  readonly title: string;
  /** Buttons at the end of the bar. */
  readonly actions: ReactNode;
  readonly parts: Omit<CanvasParts, 'toScreen' | 'editText'>;
  /** For what is dragged into the page. */
  readonly drop: Ref<DropOutside>;
  /** The page does not print the tree. */
  readonly onUnprinted: (() => void) | undefined;
}

const noRegions = {};

/** The page with its blocks outlined: a click chooses one, and edits its text. */
export function BlockCanvas(props: BlockCanvasProps) {
  const { editing, plan, title, actions, parts, drop, onUnprinted } = props;
  const isTyping = useEditing(editing, () => editing.isTyping);
  const { html, error } = usePreview(plan.pageId, plan.body, plan.version, isTyping ? undefined : 0);
  const shown = useDevice('ic-block-device');
  const { scale } = shown;
  const frame = useRef<HTMLIFrameElement>(null);
  const toScreen = ({ x, y }: { readonly x: number; readonly y: number }) => {
    const box = frame.current?.getBoundingClientRect();
    return { x: (box?.left ?? 0) + x * scale, y: (box?.top ?? 0) + y * scale };
  };
  const [text, setText] = useState<TextInPage>();
  const { link, send, connect, receive } = useCanvasLink(editing, { ...parts, toScreen, editText: setText });
  useImperativeHandle(drop, () => pageDrop(frame, scale, send), [scale, send]);
  const { origin, regions = noRegions } = plan;
  useEffect(() => link.setUp(origin, regions), [link, origin, regions]);
  const isUnprinted = html !== undefined && !html.includes(`<!--ic-blocks:${plan.origin}-->`);
  const tell = useRef(onUnprinted);
  tell.current = onUnprinted;
  useEffect(() => {
    if (isUnprinted) tell.current?.();
  }, [isUnprinted]);
  return (
    <section className={classes['canvas']} aria-label={t('blocks.canvas')}>
      <div className={device['bar']}>
        <DeviceChoice device={shown} />
        <span className="rest" />
        {actions}
      </div>
      {error !== undefined && (
        <Strip tone="brick">
          {error.isTemplate ? t('preview.failed', { error: error.text }) : error.text}
        </Strip>
      )}
      <div ref={shown.stage} className={device['stage']}>
        <PreviewFrame
          title={t('preview.of', { title })}
          html={html}
          base={plan.path}
          element={frame}
          className={device['frame']}
          style={shown.frameStyle}
          onConnect={connect}
          onMessage={receive}
        />
      </div>
      {text !== undefined && (
        <CanvasText
          key={`${text.shown.id} ${text.field}`}
          editing={editing}
          text={text}
          toScreen={toScreen}
          onClose={(isDone) => {
            setText(undefined);
            if (isDone) parts.focusOutline();
          }}
        />
      )}
    </section>
  );
}

/** The conversation with the frame, which goes on while this is drawn again. */
function useCanvasLink(editing: BlockEditing, parts: CanvasParts) {
  const latest = useRef(parts);
  latest.current = parts;
  const [send, setSend] = useState<{ readonly to: (message: ToFrame) => void }>();
  const to = send?.to ?? sendNowhere;
  const link = useMemo(() => new CanvasLink(editing, () => latest.current, to), [editing, to]);
  useEffect(() => link.start(), [link]);
  return {
    link,
    send: to,
    connect: (to: (message: ToFrame) => void) => setSend({ to }),
    receive: (message: Exclude<FromFrame, KeyMessage>) => link.receive(message),
  };
}

/** Until the frame can be spoken to. */
function sendNowhere(): void {}
