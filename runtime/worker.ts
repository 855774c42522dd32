import { keepFewResults } from './markdown/index.ts';
import { RenderWorker, type WorkerSettings } from './tasks/context.ts';
import { runTask } from './tasks/index.ts';
import { lowerPriority } from './tasks/low-priority.ts';
import type { Task } from './tasks/messages/index.ts';
import { serveTasks } from './tasks/serve.ts';

let worker: RenderWorker | undefined;

/**
 * Entry of a render process: one read-only connection, one task at a time. The database is opened with the
 * first task, so that processes can load while the server still prepares it.
 */
serveTasks<Task>((task) => {
  worker ??= openWorker();
  const scheme = 'scheme' in task ? task.scheme : undefined;
  const overlayFile = 'overlayFile' in task ? task.overlayFile : undefined;
  const views = 'views' in task ? task.views : undefined;
  const shown =
    overlayFile === undefined && views === undefined ? worker : worker.withOverlay({ overlayFile, views });
  const sources = 'sources' in task ? task.sources : undefined;
  const opener = 'opener' in task ? task.opener : undefined;
  return runTask(shown.contextFor(scheme, sources, opener), task);
});

function openWorker(): RenderWorker {
  const settings = parseSettings(process.argv[2] ?? '');
  if (settings.yields === true) lowerPriority();
  if (settings.rendersOnce === true) keepFewResults();
  return new RenderWorker(settings);
}

function parseSettings(text: string): WorkerSettings {
  const data: unknown = JSON.parse(text);
  if (
    typeof data === 'object' &&
    data !== null &&
    'databaseFile' in data &&
    typeof data.databaseFile === 'string' &&
    'cacheDir' in data &&
    typeof data.cacheDir === 'string' &&
    'scheme' in data &&
    (data.scheme === 'http' || data.scheme === 'https') &&
    'signingKeyFile' in data &&
    typeof data.signingKeyFile === 'string'
  ) {
    const { databaseFile, cacheDir, scheme, signingKeyFile } = data;
    const yields = 'yields' in data && data.yields === true;
    const rendersOnce = 'rendersOnce' in data && data.rendersOnce === true;
    return { databaseFile, cacheDir, scheme, signingKeyFile, yields, rendersOnce };
  }
  throw new TypeError('a render process was started without its settings');
}
