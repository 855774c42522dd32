/**
 * Runs inside the preview frame, which has an origin of its own: shows the HTML that the admin sends. The page
 * is morphed, not loaded anew, so that scroll position and images stay. Links and forms do nothing.
 */
import { Idiomorph } from 'idiomorph';
import { type FromFrame, frameReady, type ToFrame } from './messages.ts';

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.source !== window.parent || port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => show(data);
  forwardKeys(port);
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

function show({ html, base }: ToFrame): void {
  const page = new DOMParser().parseFromString(html, 'text/html');
  // The policy of the frame lets no script of the page run; without the elements it need not refuse them.
  for (const element of page.querySelectorAll('script, meta[http-equiv], base')) element.remove();
  const baseElement = page.createElement('base');
  baseElement.href = base;
  page.head.prepend(baseElement);
  Idiomorph.morph(document.documentElement, page.documentElement, {
    head: { style: 'morph' },
    ignoreActiveValue: true,
  });
}

function forwardKeys(port: MessagePort): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!ctrlKey && !metaKey && !/^F\d+$/.test(key)) return;
    if (/^[acvx]$/i.test(key)) return;
    event.preventDefault();
    port.postMessage({ kind: 'key', key, ctrlKey, metaKey, shiftKey, altKey } satisfies FromFrame);
  });
}
