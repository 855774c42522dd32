import { type RefObject, useEffect, useRef, useState } from 'react';
import { type FromFrame, frameReady, type KeyMessage, type ToFrame } from './messages.ts';

export interface PreviewFrameProps {
  readonly title: string;
  /** Undefined until the first answer. */
  readonly html: string | undefined;
  /** Address of the page. */
  readonly base: string;
  readonly className?: string | undefined;
  readonly style?: React.CSSProperties;
  readonly element?: RefObject<HTMLIFrameElement | null>;
  /** Called when the frame can be spoken to. */
  onConnect?(send: (message: ToFrame) => void): void;
  /** What the frame says, besides keys. */
  onMessage?(message: Exclude<FromFrame, KeyMessage>): void;
}

/** The frame that shows a page. Its document is the same for all pages; HTML comes by message. */
export function PreviewFrame(props: PreviewFrameProps) {
  const { title, html, base, className, style, element } = props;
  const own = useRef<HTMLIFrameElement>(null);
  const frame = element ?? own;
  const latest = useRef(props);
  latest.current = props;
  const [port, setPort] = useState<MessagePort>();
  useEffect(() => {
    const connect = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.data !== frameReady) return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<FromFrame>) => {
        if (data.kind === 'key') pressHere(data);
        else latest.current.onMessage?.(data);
      };
      // The frame has no origin that could be named.
      frame.current?.contentWindow?.postMessage('ic-port', '*', [port2]);
      setPort(port1);
      latest.current.onConnect?.((message) => port1.postMessage(message));
    };
    window.addEventListener('message', connect);
    return () => window.removeEventListener('message', connect);
  }, [frame]);
  useEffect(() => {
    if (html === undefined) return;
    port?.postMessage({ kind: 'show', html, base: new URL(base, location.href).href } satisfies ToFrame);
  }, [port, html, base]);
  return <iframe ref={frame} title={title} src="/cms-admin/frame" className={className} style={style} />;
}

/** Repeats a key that was pressed in the frame, so that commands work there too. */
function pressHere({ kind: _kind, ...init }: KeyMessage): void {
  document.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
}
