/** A render process that allocates without end where a path, a page or a query asks for it, and else does its work. */
import { RenderWorker, type WorkerSettings } from '../../runtime/tasks/context.ts';
import { runTask } from '../../runtime/tasks/index.ts';
import type { Task } from '../../runtime/tasks/messages/index.ts';
import { serveTasks } from '../../runtime/tasks/serve.ts';
import { hoard } from './hoard.ts';

// Type boundary: the server under test sends its settings.
const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '');
const worker = new RenderWorker(settings);

serveTasks<Task>((task) => {
  if (task.kind === 'page') hoard(decodeURIComponent(task.path.replace('/hoard/', '')));
  if (task.kind === 'document') hoard(task.unsaved.html ?? '');
  if (task.kind === 'data') hoard(task.pairs.find(([name]) => name === 'hoard')?.[1] ?? '');
  return runTask(worker.contextFor(), task);
});
