import type { AppOptions } from '../../server/app.ts';
import { currentBundle, sources } from '../../server/config/build/program-files.ts';

/**
 * The code of other processes and threads, as the server starts it: from sources, a process that renders needs half a
 * second more.
 */
export const entryFiles = currentBundle() ?? sources();

/** The same for a server inside the test's process. */
export const appFiles = {
  workerFile: entryFiles.worker,
  imageWorkerFile: entryFiles.images,
  parserFile: entryFiles.parser,
  threadFile: entryFiles.thread,
  statisticsFile: entryFiles.statistics,
  sandboxFile: entryFiles.sandbox,
} satisfies AppOptions;
