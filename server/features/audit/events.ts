import type { Actor } from '../../base/actor.ts';
import { allows } from '../../base/rights.ts';
import type { StoredAuthEvent } from '../auth/events/auth-events.ts';
import type { AuditedChange, AuditedEvent, AuditQuery } from './model.ts';

/** Events of sign-in tell addresses and names of people. Tokens never see them. */
export function maySeeEvents(actor: Actor): boolean {
  return actor.kind === 'session' && (actor.grants === undefined || allows(actor.grants, 'users'));
}

export function wantsEvents({ kind, id }: AuditQuery): boolean {
  return id === undefined && (kind === undefined || kind === 'auth' || kind.startsWith('auth.'));
}

function isAskedFor(
  { event, at, user }: StoredAuthEvent,
  { kind = 'auth', actor = '', from = 0, to = Number.MAX_SAFE_INTEGER }: AuditQuery,
): boolean {
  const isOfKind = kind === 'auth' || kind === event;
  return isOfKind && at >= from && at <= to && user.toLowerCase().includes(actor.toLowerCase());
}

function present({ event, ...fields }: StoredAuthEvent): AuditedEvent {
  // Type boundary: only `AuthEvents` writes names.
  return { event: event as AuditedEvent['event'], ...fields };
}

/**
 * Changes and the events that were asked for, newest first. An event carries the version that it found, so it came after
 * the change that made this version.
 */
export function mergeEvents(
  changes: readonly AuditedChange[],
  stored: readonly StoredAuthEvent[],
  query: AuditQuery,
): (AuditedChange | AuditedEvent)[] {
  const events = stored.filter((event) => isAskedFor(event, query)).map(present);
  const merged: (AuditedChange | AuditedEvent)[] = [];
  let next = 0;
  for (const change of changes) {
    for (
      let event = events[next];
      event !== undefined && event.version >= change.version;
      event = events[++next]
    )
      merged.push(event);
    merged.push(change);
  }
  return [...merged, ...events.slice(next)];
}
