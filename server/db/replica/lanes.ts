import type { DatabaseName } from '../migrate.ts';

/**
 * Orders of versions that nodes share: one of content.db, and two of activity.db, because a thread of its own counts
 * visits and must not wait for the others.
 */
export const laneNames = ['content', 'activity', 'statistics'] as const;

export type ReplicationLogName = (typeof laneNames)[number];

/** The database that has the tables of a lane. */
export const databaseOf: Readonly<Record<ReplicationLogName, DatabaseName>> = {
  content: 'content',
  activity: 'activity',
  statistics: 'activity',
};

const statisticsTables: ReadonlySet<string> = new Set([
  'statistics',
  'statistics_names',
  'statistics_seen',
  'statistics_resets',
  'country_lists',
]);

/** Whether a table of the lane's database belongs to this lane. */
export function hasTable(lane: ReplicationLogName, table: string): boolean {
  return lane === 'content' || statisticsTables.has(table) === (lane === 'statistics');
}
