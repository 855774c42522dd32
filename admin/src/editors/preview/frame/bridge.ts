/**
 * Runs inside the preview frame, which has an origin of its own: shows the HTML that the admin sends. The page
 * is morphed, not loaded anew, so that scroll position and images stay. Links and forms do nothing.
 */
import { Idiomorph } from 'idiomorph';
import { type FromFrame, frameReady, type ShowMessage, type ToFrame } from '../messages.ts';
import { Canvas } from './canvas.ts';

/** Editing of blocks; undefined in a frame that only shows a page. */
let canvas: Canvas | undefined;

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.source !== window.parent || port === undefined) return;
  const send = (message: FromFrame) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.kind === 'show') show(data);
    else if (data.kind === 'edit') {
      canvas ??= new Canvas(send);
      canvas.setUp(data);
    } else canvas?.receive(data);
  };
  forwardKeys(send);
});
window.parent.postMessage(frameReady, '*');

for (const type of ['click', 'auxclick', 'submit']) {
  document.addEventListener(
    type,
    (event) => {
      const isLink = event.target instanceof Element && event.target.closest('a, area') !== null;
      if (type === 'submit' || isLink) event.preventDefault();
    },
    true,
  );
}

function show({ html, base }: ShowMessage): void {
  const page = new DOMParser().parseFromString(html, 'text/html');
  // The policy of the frame lets no script of the page run; without the elements it need not refuse them.
  for (const element of page.querySelectorAll('script, meta[http-equiv], base')) element.remove();
  const baseElement = page.createElement('base');
  baseElement.href = base;
  page.head.prepend(baseElement);
  Idiomorph.morph(document.documentElement, page.documentElement, {
    head: { style: 'morph' },
    ignoreActiveValue: true,
    callbacks: {
      // What lies over the page is no part of it, and a text that is being typed is newer than the page.
      beforeNodeRemoved: (node: Node) => canvas?.keeps(node) !== true,
      beforeNodeMorphed: (node: Node) => canvas?.isTyped(node) !== true,
    },
  });
  canvas?.pageChanged();
}

function forwardKeys(send: (message: FromFrame) => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!ctrlKey && !metaKey && !/^F\d+$/.test(key)) return;
    if (/^[acvx]$/i.test(key)) return;
    event.preventDefault();
    send({ kind: 'key', key, ctrlKey, metaKey, shiftKey, altKey });
  });
}
