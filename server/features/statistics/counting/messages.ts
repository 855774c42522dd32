/** What the main thread asks of the thread that counts. */

import type { Log } from '../../../base/log.ts';
import type { SharedStatisticsSettings } from '../../../db/activity.ts';
import type { ListFile } from '../country-lists/import.ts';
import type { ListCheck } from '../country-lists/store.ts';
import type { Dimension } from '../kinds.ts';
import type { PathReport, StatisticsReport, ValueReport } from '../model.ts';
import type { LiveFigures } from './recent.ts';
import type { Scope } from './report.ts';
import type { VisitBatch } from './visit.ts';

/** Each task with its input and its result. */
export interface Tasks {
  /** @param visits as `visitsIn` reads them */
  count: { input: Omit<VisitBatch, 'visits'> & { readonly visits: string }; result: undefined };
  /** A new day has begun, whether somebody visits or not. */
  startDay: { input: { readonly day: number }; result: undefined };
  report: { input: Scope; result: StatisticsReport };
  path: { input: { readonly scope: Scope; readonly path: string }; result: PathReport };
  value: {
    input: { readonly scope: Scope; readonly dimension: Dimension; readonly name: string };
    result: ValueReport;
  };
  /** The CSV in parts. */
  export: {
    input: { readonly scope: Scope; readonly titles: ReadonlyMap<number, string> };
    result: readonly Uint8Array<ArrayBuffer>[];
  };
  live: { input: { readonly now: number; readonly siteId: number | undefined }; result: LiveFigures };
  /** Takes lists over, all or none; fails with the code `LIST_INVALID`. @param now Unix seconds */
  importLists: { input: { readonly files: readonly ListFile[]; readonly now: number }; result: undefined };
  /** Keeps the outcome of a request that brought no list. */
  saveCheck: { input: ListCheck; result: undefined };
  /** Deletes websites; undefined: all. */
  forget: { input: { readonly siteId: number | undefined }; result: undefined };
}

export type TaskName = keyof Tasks;

export type ToThread =
  | {
      readonly [Name in TaskName]: {
        readonly id: number;
        readonly task: Name;
        readonly input: Tasks[Name]['input'];
      };
    }[TaskName]
  | { readonly task: 'close' };

export type FromThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string | undefined } }
  | { readonly news: ThreadNews };

/** What the thread tells without being asked. */
export type ThreadNews =
  /** Another node has stored or checked country lists. */
  | { readonly kind: 'lists' }
  | { readonly kind: 'log'; readonly level: keyof Log; readonly fields: object; readonly message: string };

export interface ThreadSettings {
  /** Of an instance on one machine. */
  readonly databaseFile: string;
  readonly saltFile: string;
  /** Of a node of several. */
  readonly shared?: SharedStatisticsSettings | undefined;
}
