import type { Progress } from '../jobs/jobs.ts';
import type { PageFacts } from '../parsing/messages.ts';
import type { SourceState } from '../store.ts';
import type { FetchedContent, Fetcher, FetchOutcome } from './fetcher.ts';
import type { ParsingPool } from './pool.ts';

/** Largest source of a page in bytes. */
const maxPageBytes = 8 * 2 ** 20;

export interface LoadTools {
  readonly fetcher: Fetcher;
  readonly pool: ParsingPool;
  readonly progress: Pick<Progress, 'note'>;
}

/** Loads the source of a page; notes in the log why there is none. */
export async function fetchPage(
  { fetcher, progress }: LoadTools,
  url: string,
  known?: SourceState,
): Promise<FetchOutcome> {
  const answer = await fetcher.fetch(url, { maxBytes: maxPageBytes, known });
  if (answer.kind === 'failed')
    progress.note('error', 'import.pageNotLoaded', { reason: answer.reason }, url);
  return answer;
}

/** Whether an answer is a page. A host that does not say what it sends gets the benefit of the doubt. */
export function isPage({ contentType }: Pick<FetchedContent, 'contentType'>): boolean {
  return contentType === '' || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Reads the source of a page; undefined, with a note in the log, if it cannot be read. */
export async function readFacts(
  { pool, progress }: LoadTools,
  { file, url, contentType }: FetchedContent,
): Promise<PageFacts | undefined> {
  try {
    return await pool.run({ kind: 'read-page', file, url, contentType });
  } catch (error) {
    progress.note('error', 'import.pageNotRead', { reason: formatLoadError(error) }, url);
    return undefined;
  }
}

/** The first line of an error of a task. */
export function formatLoadError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
