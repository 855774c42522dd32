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
  readonly findGoodSeq: () => number | Promise<number>;
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
  /** Writes that have not ended. */
  #unfinished = 0;

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

  find(siteId: number, path: string): store.FailingPageRow | undefined {
    return this.#listed.get(keyOf(siteId, path));
  }

  /** Whether a page is on the list, or may be soon. */
  mayBeListed(siteId: number, path: string): boolean {
    return this.#unfinished > 0 || this.#listed.has(keyOf(siteId, path));
  }

  /** @throws ApiError `common.notFound`, `common.invalid` for a page that is no website */
  async list(siteId: number): Promise<FailingPage[]> {
    const { reader } = this.#parts;
    await requireSite(reader, siteId);
    await this.idle();
    return (await store.listPublished(reader, siteId)).map(toFailingPage);
  }

  /**
   * Enters pages that fail, and tells of those that are new.
   *
   * @returns those that may not fail any more, because what they have read has changed meanwhile
   */
  enter(failures: readonly PageFailure[]): Promise<readonly PageFailure[]> {
    if (failures.length === 0) return Promise.resolve([]);
    return this.#write('failing pages could not be entered', failures, () => this.#enter(failures));
  }

  /**
   * Takes pages off the list, if they are on it.
   *
   * @returns those that may fail again
   */
  leave(recoveries: readonly PageRecovery[]): Promise<readonly PageRecovery[]> {
    const mayBeListed = recoveries.filter(({ siteId, path }) => this.mayBeListed(siteId, path));
    if (mayBeListed.length === 0) return Promise.resolve([]);
    const problem = 'pages that do not fail any more are still listed';
    return this.#write(problem, mayBeListed, () => this.#leave(mayBeListed));
  }

  /** Resolves when what is known now is written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Writes come one after the other. @returns what must be looked at again: everything, if that fails */
  #write<Render>(
    problem: string,
    renders: readonly Render[],
    work: () => Promise<readonly Render[]>,
  ): Promise<readonly Render[]> {
    this.#unfinished += 1;
    const written = this.#writing
      .then(work)
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, problem);
        return renders;
      })
      .finally(() => {
        this.#unfinished -= 1;
      });
    this.#writing = written;
    return written;
  }

  async #enter(failures: readonly PageFailure[]): Promise<readonly PageFailure[]> {
    const { reader, changes } = this.#parts;
    const isNew = failures.filter((failure) => !this.#isKnown(failure));
    if (isNew.length === 0) return [];
    const found = await Promise.all(
      isNew.map(async (failure) => ({
        failure,
        cause: await findCause(reader, await failure.findGoodSeq(), failure.reads),
      })),
    );
    return changes.change(nobody, async (change) => {
      const [current, outdated] = this.#splitByAge(found, ({ failure }) => failure.reads);
      for (const { failure, cause } of current) await enterPage(change, failure, cause);
      return outdated.map(({ failure }) => failure);
    });
  }

  /** Whether the list has exactly this already, so that nothing need be written. */
  #isKnown({ of, error }: PageFailure): boolean {
    const row = this.find(of.siteId, of.path);
    return row?.page_id === of.pageId && hasSameError(row, toErrorColumns(error));
  }

  async #leave(recoveries: readonly PageRecovery[]): Promise<readonly PageRecovery[]> {
    const listed = recoveries.filter(
      ({ siteId, path, query }) => this.find(siteId, path)?.query === storedQuery(query),
    );
    if (listed.length === 0) return [];
    return this.#parts.changes.changeUnversioned(nobody, async ({ tx }) => {
      const [current, outdated] = this.#splitByAge(listed, ({ reads }) => reads);
      for (const { siteId, path, query } of current)
        await store.deleteFailing(tx, siteId, path, storedQuery(query));
      return outdated;
    });
  }

  /** @returns renders that would have the same result now, and those of which something that they read has changed */
  #splitByAge<Render>(
    renders: readonly Render[],
    readsOf: (render: Render) => ReadSet,
  ): readonly [current: readonly Render[], outdated: readonly Render[]] {
    const { version } = this.#parts;
    const isCurrent = (render: Render): boolean => version.isContentUpToDate(readsOf(render));
    return [renders.filter(isCurrent), renders.filter((render) => !isCurrent(render))];
  }
}

async function enterPage(change: Change, failure: PageFailure, cause: Cause | undefined): Promise<void> {
  const { tx } = change;
  const { siteId, pageId } = failure.of;
  const path = failure.of.path.slice(0, maxPathLength);
  const columns = toErrorColumns(failure.error);
  const listed = await store.findFailing(tx, siteId, path);
  if (listed?.page_id === pageId) {
    const { error, template, template_line, template_column } = columns;
    if (!hasSameError(listed, columns))
      await change.writeUnversioned(() =>
        store.updateFailing(
          ...([tx, siteId, path] as const),
          ...([error, template, template_line, template_column, failure.foundBy] as const),
        ),
      );
    return;
  }
  // Another page has failed at this address before.
  if (listed !== undefined)
    await change.writeUnversioned(() => store.deleteFailing(tx, siteId, path, listed.query));
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
