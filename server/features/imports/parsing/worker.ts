/** Entry of a process that reads what other websites send. It knows nothing of content, only of files. */
import { lowerPriority } from '../../../../runtime/tasks/low-priority.ts';
import { serveTasks } from '../../../../runtime/tasks/serve.ts';
import { convertPage } from './convert-page.ts';
import { convertCss, convertJs, readCss } from './css-tasks.ts';
import type { ParsingResults, ParsingTask } from './messages.ts';
import { readPage } from './read-page.ts';
import { readSitemap } from './sitemap.ts';
import { rewrite, suggest } from './suggest/index.ts';

// Visitors come first.
lowerPriority();
// Files are for the user of the server only.
process.umask(0o077);

serveTasks<ParsingTask>(run);

async function run(task: ParsingTask): Promise<ParsingResults[ParsingTask['kind']]> {
  switch (task.kind) {
    case 'read-page':
      return readPage(task);
    case 'read-css':
      return readCss(task);
    case 'convert-css':
      return convertCss(task);
    case 'convert-js':
      return convertJs(task);
    case 'convert-page':
      return convertPage(task);
    case 'read-sitemap':
      return readSitemap(task);
    case 'suggest':
      return suggest(task);
    case 'rewrite':
      return rewrite(task);
  }
}
