/**
 * An image process that dies of variants, or with `IMAGE_DEADLY=crops` of crops only, and else does its work. It adds
 * a letter to the file that `IMAGE_ATTEMPTS_FILE` names before it dies.
 */
import { appendFileSync } from 'node:fs';
import { runImageTask } from '../../runtime/images/index.ts';
import type { ImageTask } from '../../runtime/images/messages.ts';
import { serveTasks } from '../../runtime/tasks/serve.ts';

const isDeadly = process.env['IMAGE_DEADLY'] === 'crops' ? hasCrop : hasVariants;

serveTasks<ImageTask>((task) => {
  if (!isDeadly(task)) return runImageTask(task);
  appendFileSync(process.env['IMAGE_ATTEMPTS_FILE'] ?? '', 'x');
  process.exit(1);
});

function hasVariants(task: ImageTask): boolean {
  return task.kind === 'make-variants';
}

function hasCrop(task: ImageTask): boolean {
  return task.kind === 'make-variants' && task.outputs.some(({ crop }) => crop !== undefined);
}
