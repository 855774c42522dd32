import type { Actor } from '../base/actor.ts';

/** Names of an object in a change record (Data, Automation and Operations, "Webhook events"). */
export interface ObjectNames {
  readonly name?: string;
  readonly slug?: string;
  /** Slug of the collection that an entry belongs to. */
  readonly collection?: string;
  /** An entry as the API shows it, for what listens to its collection; deleted ones as they were. */
  readonly entry?: object;
  /** Website that a page or redirect belongs to. */
  readonly root_id?: number;
  /** Path of the object on its website. */
  readonly path?: string;
}

/** The change that broke a page. */
export interface BreakingChange {
  /** Version of the content after it. */
  readonly version: number;
  readonly kind: string;
  readonly id: number;
  /** Title or name of the object; empty if it has none. */
  readonly title: string;
  /** As in the version history. */
  readonly by: string;
}

/** Why visitors cannot see a page any more. */
export interface PageFailureNotice {
  readonly error: string;
  /** The change that broke the page; null if that is not known. */
  readonly change: BreakingChange | null;
}

/** What was done to one object, or that a page has begun to fail. Listeners turn a record into live updates, webhooks and the like. */
export interface ChangeRecord extends ObjectNames {
  readonly kind: string;
  readonly action: 'created' | 'updated' | 'deleted' | 'moved' | 'imported' | 'published' | 'failed';
  readonly id: number;
  /** Of a page that has begun to fail. */
  readonly failure?: PageFailureNotice;
  /** Whether a deleted object is in the trash, with what others keep of it. */
  readonly isKept?: boolean;
}

/** Events that are told as such, besides the records of the objects. */
export const changeEvents = [
  'batch.applied',
  'page.failed',
  'change_set.published',
  'change_set.failed',
] as const;

export interface ChangeEvent {
  readonly event: (typeof changeEvents)[number];
  /** Fields of its body besides `event` and `at`. */
  readonly fields: object;
  /** Number of changes in it. */
  readonly changes: number;
  /** Requests and deliveries in a row that have led to it; default: those of the actor. */
  readonly hop?: number;
}

/** A change of content that is on disk. */
export interface Commit {
  readonly actor: Actor;
  readonly records: readonly ChangeRecord[];
  readonly announcements: readonly ChangeEvent[];
}

/** What others are told of a change: names that the object does not have are absent. */
export type ChangeNotice = Pick<ChangeRecord, 'kind' | 'action' | 'id' | 'collection' | 'slug' | 'name'> &
  Partial<FailedPageNotice>;

/** What is told of a page that has begun to fail, besides its ID. */
interface FailedPageNotice extends PageFailureNotice {
  readonly event: 'page.failed';
  readonly site_id: number;
  readonly path: string;
}

export function toChangeNotice({
  kind,
  action,
  id,
  collection,
  slug,
  name,
  root_id = 0,
  path = '',
  failure,
}: ChangeRecord): ChangeNotice {
  return {
    kind,
    action,
    id,
    ...(collection === undefined ? {} : { collection }),
    ...(slug === undefined ? {} : { slug }),
    ...(name === undefined ? {} : { name }),
    ...(failure === undefined ? {} : { event: 'page.failed', site_id: root_id, path, ...failure }),
  };
}
