/** Entry of an image process: it knows nothing of content, only of files. */
import { setPriority } from 'node:os';
import { runImageTask } from './images/index.ts';
import type { ImageTask } from './images/messages.ts';
import { serveTasks } from './tasks/serve.ts';

// Pages are rendered first: an image that is a little later is seen by nobody.
setPriority(10);
// Files are for the user of the server only.
process.umask(0o077);

serveTasks<ImageTask>(runImageTask);
