import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import { maxPathLength } from '../../../runtime/page/address.ts';
import { publicParameters } from '../../../runtime/page/private-parameters.ts';
import type { RenderedPage, RenderFailure } from '../../../runtime/tasks/messages/delivery.ts';
import type { Change } from '../../changes/changes.ts';
import type { Follower } from '../../changes/followers.ts';
import { requireSite } from '../../content/sites/service.ts';
import type { SharedServices } from '../../feature.ts';
import { type Cause, findCause } from './cause.ts';
import type { FailingPage } from './model.ts';
import * as store from './store.ts';

export type FailingParts = Pick<SharedServices, 'reader' | 'changes' | 'version' | 'clock' | 'log'>;

/** A render that has failed. */
export interface PageFailure {
  readonly of: RenderedPage;
  readonly query: string;
  readonly reads: ReadSet;
  readonly error: RenderFailure;
  readonly foundBy: FailingPage['found_by'];
  /** Version of the content at which the page did not fail. */
  readonly goodSeq: number;
}

/** A render that has not failed, or an address without a page. */
export interface PageRecovery {
  readonly siteId: number;
  readonly path: string;
  readonly query: string;
  readonly reads: ReadSet;
}

const nobody = { kind: 'none' } as const;
/** Characters of an error, and of a query, that are stored. */
const maxLength = 500;
/** Addresses of one catch-all page that visits enter; anyone can invent any number of them. */
const maxVisitsOfPage = 20;

/**
 * The list of pages that cannot be rendered. An entry is a path of a website; it leaves the list when the address with
 * which it was found renders again.
 */
export class FailingPages implements Follower {
  readonly of = ['failing_pages'] as const;
  readonly #parts: FailingParts;
  /** All entries, so that a render of a page that does not fail costs nothing. */
  #listed: ReadonlyMap<string, store.FailingPageRow> = new Map();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: FailingParts) {
    this.#parts = parts;
  }

  async refresh(): Promise<void> {
    const rows = await store.listAll(this.#parts.reader);
    this.#listed = new Map(rows.map((row) => [keyOf(row.root_id, row.path), row]));
  }

  get size(): number {
    return this.#listed.size;
  }

  entries(): Iterable<store.FailingPageRow> {
    return this.#listed.values();
  }

  isListed(siteId: number, path: string): boolean {
    return this.#listed.has(keyOf(siteId, path));
  }

  /** @throws ApiError `common.notFound`, `common.invalid` for a page that is no website */
  async list(siteId: number): Promise<FailingPage[]> {
    const { reader } = this.#parts;
    await requireSite(reader, siteId);
    await this.idle();
    return (await store.listPublished(reader, siteId)).map(toFailingPage);
  }

  /** Enters pages that fail, and tells of those that are new. */
  enter(failures: readonly PageFailure[]): Promise<void> {
    return this.#write('failing pages could not be entered', () => this.#enter(failures));
  }

  /** Takes pages off the list, if they are on it. */
  leave(recoveries: readonly PageRecovery[]): Promise<void> {
    const listed = recoveries.filter(
      ({ siteId, path, query }) => this.#listed.get(keyOf(siteId, path))?.query === storedQuery(query),
    );
    if (listed.length === 0) return Promise.resolve();
    return this.#write('pages that do not fail any more are still listed', () => this.#leave(listed));
  }

  /** Resolves when what is known now is written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  #write(problem: string, work: () => Promise<void>): Promise<void> {
    const written = this.#writing
      .then(work)
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, problem));
    this.#writing = written;
    return written;
  }

  async #enter(failures: readonly PageFailure[]): Promise<void> {
    const { reader, changes, version } = this.#parts;
    const isNew = failures.filter((failure) => !this.#isKnown(failure));
    if (isNew.length === 0) return;
    const found = await Promise.all(
      isNew.map(async (failure) => ({
        failure,
        cause: await findCause(reader, failure.goodSeq, failure.reads),
      })),
    );
    await changes.change(nobody, async (change) => {
      // What was changed meanwhile is checked again.
      for (const { failure, cause } of found)
        if (version.isUpToDate(failure.reads)) await enterPage(change, failure, cause);
    });
  }

  /** Whether the list has exactly this already, so that nothing need be written. */
  #isKnown({ of, error }: PageFailure): boolean {
    const row = this.#listed.get(keyOf(of.siteId, of.path));
    return row !== undefined && hasSameError(row, toErrorColumns(error));
  }

  async #leave(recoveries: readonly PageRecovery[]): Promise<void> {
    const { changes, version } = this.#parts;
    await changes.changeUnversioned(nobody, async ({ tx }) => {
      for (const { siteId, path, query, reads } of recoveries)
        if (version.isUpToDate(reads)) await store.deleteFailing(tx, siteId, path, storedQuery(query));
    });
  }
}

async function enterPage(change: Change, failure: PageFailure, cause: Cause | undefined): Promise<void> {
  const { tx } = change;
  const { siteId, pageId } = failure.of;
  const path = failure.of.path.slice(0, maxPathLength);
  const columns = toErrorColumns(failure.error);
  const listed = await store.findFailing(tx, siteId, path);
  if (listed !== undefined) {
    const { error, template, template_line, template_column } = columns;
    if (!hasSameError(listed, columns))
      await change.writeUnversioned(() =>
        store.updateFailing(tx, siteId, path, error, template, template_line, template_column),
      );
    return;
  }
  const ofPage = failure.foundBy === 'visit' ? await store.listPathsOf(tx, pageId) : [];
  if (ofPage.length >= maxVisitsOfPage) return;
  const breaking = cause?.change ?? null;
  await store.insertFailing(tx, {
    root_id: siteId,
    path,
    query: storedQuery(failure.query),
    page_id: pageId,
    ...columns,
    since: change.now,
    cause: JSON.stringify(breaking),
    found_by: failure.foundBy,
  });
  const { error } = columns;
  change.record({
    kind: 'page',
    action: 'failed',
    id: pageId,
    root_id: siteId,
    path,
    failure: { error, change: breaking },
  });
  change.announce({
    event: 'page.failed',
    fields: { site_id: siteId, page_id: pageId, path, error, change: breaking },
    changes: 1,
    ...(cause === undefined ? {} : { hop: cause.hop }),
  });
}

type ErrorColumns = Pick<store.FailingPageRow, 'error' | 'template' | 'template_line' | 'template_column'>;

function toErrorColumns({ message, template = '', line = 0, column = 0 }: RenderFailure): ErrorColumns {
  // Errors that are no faults of templates come with their stack.
  const error = (template === '' ? (message.split('\n')[0] ?? '') : message).slice(0, maxLength);
  return { error, template, template_line: line, template_column: column };
}

function hasSameError(left: ErrorColumns, right: ErrorColumns): boolean {
  return (
    left.error === right.error &&
    left.template === right.template &&
    left.template_line === right.template_line &&
    left.template_column === right.template_column
  );
}

function storedQuery(query: string): string {
  return publicParameters(query).slice(0, maxLength);
}

function toFailingPage(row: store.FailingPageRow): FailingPage {
  return {
    path: row.path,
    page_id: row.page_id,
    error: row.error,
    template: row.template === '' ? null : row.template,
    line: row.template_line === 0 ? null : row.template_line,
    column: row.template_column === 0 ? null : row.template_column,
    since: row.since,
    // Type boundary: only this file writes these columns.
    change: JSON.parse(row.cause) as FailingPage['change'],
    found_by: row.found_by === 'visit' ? 'visit' : 'check',
  };
}

function keyOf(siteId: number, path: string): string {
  return `${siteId} ${path}`;
}
