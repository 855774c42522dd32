import { inspectImage } from './inspect.ts';
import type { ImageTask, ImageTaskResults } from './messages.ts';
import { makeVariants } from './variants.ts';

/** Runs one task of an image process. */
export function runImageTask(task: ImageTask): Promise<ImageTaskResults[ImageTask['kind']]> {
  switch (task.kind) {
    case 'inspect-image':
      return inspectImage(task.file);
    case 'make-variants':
      return makeVariants(task);
  }
}
