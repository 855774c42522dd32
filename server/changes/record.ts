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

/** What was done to one object. Listeners turn a record into live updates, webhooks and the like. */
export interface ChangeRecord extends ObjectNames {
  readonly kind: string;
  readonly action: 'created' | 'updated' | 'deleted' | 'moved' | 'imported';
  readonly id: number;
}

/** An event that is told as such, besides the records of the objects. */
export interface ChangeEvent {
  readonly event: 'batch.applied';
  /** Fields of its body besides `event` and `at`. */
  readonly fields: object;
  /** Number of changes in it. */
  readonly changes: number;
}

/** A change of content that is on disk. */
export interface Commit {
  readonly actor: Actor;
  readonly records: readonly ChangeRecord[];
  readonly announcements: readonly ChangeEvent[];
}

/** What others are told of a change: names that the object does not have are absent. */
export type ChangeNotice = Pick<ChangeRecord, 'kind' | 'action' | 'id' | 'collection' | 'slug' | 'name'>;

export function toChangeNotice({ kind, action, id, collection, slug, name }: ChangeRecord): ChangeNotice {
  return {
    kind,
    action,
    id,
    ...(collection === undefined ? {} : { collection }),
    ...(slug === undefined ? {} : { slug }),
    ...(name === undefined ? {} : { name }),
  };
}
