/**
 * One thread of the front: gives shared answers itself and forwards all other requests to the main thread, body and
 * all. Its requests obey the rules of uWebSockets.js (`uws/index.ts`) as those of the main thread do.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { ViewEventBuffer } from '../../view-event-buffer.ts';
import { createApp, handleAll, limitConnections } from '../uws/app.ts';
import { loadLibrary } from '../uws/library.ts';
import { ForwardedExchanges } from './forwarding.ts';
import type { FromThread, ThreadSettings, ToThread } from './messages.ts';
import { SharedAnswerTable } from './shared-table.ts';

/** How often the use of shared answers is reported, in milliseconds. */
const reportMs = 1000;

async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('this file is the code of a thread');
  const post = (message: FromThread, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  process.on('uncaughtException', ({ message, stack }) => post({ kind: 'failed', message, stack }));

  // Type boundary: the main thread starts this thread with these settings.
  const settings = workerData as ThreadSettings;
  const app = createApp(await loadLibrary(), settings.tls);
  limitConnections(app, settings.maxConnections);
  const views = new ViewEventBuffer();
  views.consumeWith((noted) => post({ kind: 'views', views: noted }));
  const table = new SharedAnswerTable(settings, views, (times) => post({ kind: 'used', times }));
  const forwarded = new ForwardedExchanges(post);
  handleAll(app, (res, req, method) => {
    if (!table.answer(res, req, method)) forwarded.forward(res, req, method, table.lastKey());
  });
  const report = setInterval(() => table.report(), reportMs);

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'share':
        table.add(message.entry);
        break;
      case 'drop':
        table.drop(message.entries);
        break;
      case 'clear':
        table.clear();
        break;
      case 'collect':
        views.flush();
        post({ kind: 'collected' });
        break;
      case 'stop':
        clearInterval(report);
        app.close();
        process.exit();
        break;
      default:
        forwarded.receive(message);
        break;
    }
  });
  // The method exists but is missing in the library's types.
  const descriptor: unknown = Reflect.apply(Reflect.get(app, 'getDescriptor'), app, []);
  post({ kind: 'ready', descriptor: Number(descriptor) });
}

await main();
