import { useEffect, useRef, useState } from 'react';
import { type FromFrame, frameReady, type ToFrame } from './messages.ts';

export interface PreviewFrameProps {
  readonly title: string;
  /** Undefined until the first answer. */
  readonly html: string | undefined;
  /** Address of the page. */
  readonly base: string;
  readonly className?: string | undefined;
  readonly style?: React.CSSProperties;
}

/** The frame that shows a page. Its document is the same for all pages; HTML comes by message. */
export function PreviewFrame({ title, html, base, className, style }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [port, setPort] = useState<MessagePort>();
  useEffect(() => {
    const connect = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.data !== frameReady) return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<FromFrame>) => pressHere(data);
      // The frame has no origin that could be named.
      frame.current?.contentWindow?.postMessage('ic-port', '*', [port2]);
      setPort(port1);
    };
    window.addEventListener('message', connect);
    return () => window.removeEventListener('message', connect);
  }, []);
  useEffect(() => {
    if (html === undefined) return;
    port?.postMessage({ kind: 'show', html, base: new URL(base, location.href).href } satisfies ToFrame);
  }, [port, html, base]);
  return <iframe ref={frame} title={title} src="/cms-admin/frame" className={className} style={style} />;
}

/** Repeats a key that was pressed in the frame, so that commands work there too. */
function pressHere({ kind: _kind, ...init }: FromFrame): void {
  document.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
}
