/**
 * Runs inside the frame of a pen, which has an origin of its own: writes the document that the admin sends in the
 * place of this one, once. Its scripts run then, under the policy of this document. The next result gets a new frame.
 */
import { type PenDocument, penFrameReady } from './messages.ts';

window.addEventListener('message', ({ source, data }: MessageEvent<PenDocument>) => {
  if (source !== window.parent) return;
  document.open();
  document.write(data.html);
  document.close();
});
window.parent.postMessage(penFrameReady, '*');
