import type { Changes } from '../../../changes/changes.ts';
import type { SharedServices } from '../../../feature.ts';
import type { MediaFeature } from '../../media/index.ts';
import type { ImportedPageKind, KnownPage } from '../../pages/imported.ts';
import type { Progress } from '../jobs/jobs.ts';
import type { FetchedContent, Fetcher } from '../loading/fetcher.ts';
import type { ParsingPool } from '../loading/pool.ts';
import type { Workspace } from '../loading/workspace.ts';
import type { PageAction, RunResult } from '../model.ts';
import type { PageFacts } from '../parsing/messages.ts';

/** What the steps of an import work with. */
export interface RunTools extends Pick<SharedServices, 'reader'> {
  /** Writes, so that the import can be reverted as a whole. */
  readonly changes: Pick<Changes, 'change'>;
  readonly fetcher: Fetcher;
  readonly pool: ParsingPool;
  readonly workspace: Workspace;
  readonly progress: Progress;
  readonly media: Pick<MediaFeature, 'kind' | 'uploads'>;
  readonly pages: ImportedPageKind;
  readonly maxFileBytes: number;
}

/** What is imported, and where to. */
export interface RunPlan {
  /** Address of the original website. */
  readonly base: URL;
  readonly urls: readonly URL[];
  readonly target: TargetPage;
  readonly overwrite: boolean;
  readonly overwriteModified: boolean;
  readonly force: boolean;
  readonly publish: boolean;
  readonly downloadHosts: ReadonlySet<string>;
}

/** The page that the home page of the original becomes. */
export interface TargetPage {
  readonly id: number;
  readonly rootId: number;
  readonly path: string;
  readonly isHome: boolean;
  /** True for the home page of a website that was made for this import. */
  readonly isNew: boolean;
}

/** A page of the original, with what is done with it. */
export interface PlannedPage {
  readonly key: string;
  /** Where it was found, after redirects. */
  readonly url: string;
  readonly action: PageAction;
  /** Path that it has or gets; empty if it has none. */
  readonly path: string;
  readonly isHome: boolean;
  readonly existing: KnownPage | undefined;
  /** Set if it is written. */
  readonly content: PageContent | undefined;
}

/** The source of a page that is written. */
export interface PageContent {
  readonly source: FetchedContent;
  readonly facts: Pick<PageFacts, 'lang' | 'styles' | 'scripts'>;
}

export type Counters = Omit<RunResult, 'pages' | 'target_page_id'>;

export function newCounters(): Counters {
  return {
    created: 0,
    updated: 0,
    unchanged: 0,
    modified: 0,
    foreign: 0,
    skipped: 0,
    failed: 0,
    placeholders: 0,
    files: 0,
    files_updated: 0,
    files_reused: 0,
    assets: 0,
    assets_updated: 0,
    assets_reused: 0,
    assets_kept: 0,
    shared_css: 0,
    shared_js: 0,
  };
}
