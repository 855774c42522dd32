import type { Archive } from '../../page/mhtml.ts';
import type {
  CheckCodeTask,
  CheckMarkupTask,
  CheckTemplateTask,
  CodeWarning,
  CollectionReadsTask,
  NamePosition,
  ReadPosition,
  RegionLosses,
  RegionLossesTask,
  TemplateReport,
  UnsafeMarkup,
  VariableReadsTask,
} from './checks.ts';
import type {
  CheckpointTask,
  DataResult,
  DataTask,
  DetailPagesResult,
  DetailPagesTask,
  IndexTask,
} from './data.ts';
import type {
  AssetResult,
  AssetTask,
  CheckPagesResult,
  CheckPagesTask,
  CompressResult,
  CompressTask,
  PageResult,
  PageTask,
  RobotsResult,
  RobotsTask,
  SitemapCopy,
  SitemapCopyTask,
  SitemapResult,
  SitemapTask,
} from './delivery.ts';
import type {
  ArchiveTask,
  DocumentResult,
  DocumentTask,
  LoadsResult,
  LoadsTask,
  MarkdownResult,
  MarkdownTask,
  PenResult,
  PenTask,
  TemplateDataResult,
  TemplateDataTask,
} from './documents.ts';
import type {
  ExportAssetsTask,
  ExportDetails,
  ExportDetailsTask,
  ExportedFiles,
  ExportedPages,
  ExportPagesTask,
  ExportSystemTask,
} from './exports.ts';
import type { SourceListResult, SourceListTask } from './sources.ts';

/**
 * Tasks for render processes and their results: plain data that is copied between processes. `now` is Unix
 * milliseconds.
 * `reads` tells which content a result was made from.
 */

/** The result of each kind of task. */
export interface TaskResults {
  page: PageResult;
  'check-pages': CheckPagesResult;
  asset: AssetResult;
  sitemap: SitemapResult;
  'sitemap-copy': SitemapCopy;
  robots: RobotsResult;
  compress: CompressResult;
  document: DocumentResult;
  loads: LoadsResult;
  'template-data': TemplateDataResult;
  data: DataResult;
  'detail-pages': DetailPagesResult;
  index: undefined;
  checkpoint: undefined;
  'source-list': SourceListResult;
  'check-template': TemplateReport;
  'region-losses': RegionLosses;
  'variable-reads': readonly ReadPosition[];
  'collection-reads': readonly NamePosition[];
  'check-code': readonly CodeWarning[];
  'check-markup': readonly UnsafeMarkup[];
  markdown: MarkdownResult;
  archive: Archive;
  pen: PenResult;
  'export-pages': ExportedPages;
  'export-system': ExportedFiles;
  'export-assets': ExportedFiles;
  'export-details': ExportDetails;
}

export type Task =
  | PageTask
  | CheckPagesTask
  | AssetTask
  | SitemapTask
  | SitemapCopyTask
  | RobotsTask
  | CompressTask
  | DocumentTask
  | LoadsTask
  | TemplateDataTask
  | DataTask
  | DetailPagesTask
  | IndexTask
  | CheckpointTask
  | SourceListTask
  | CheckTemplateTask
  | RegionLossesTask
  | VariableReadsTask
  | CollectionReadsTask
  | CheckCodeTask
  | CheckMarkupTask
  | MarkdownTask
  | ArchiveTask
  | PenTask
  | ExportPagesTask
  | ExportSystemTask
  | ExportAssetsTask
  | ExportDetailsTask;

export type ResultOf<T extends Task> = TaskResults[T['kind']];

/** What a render process sends: once that it has loaded its code, then one answer to each task. */
export type TaskAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };
