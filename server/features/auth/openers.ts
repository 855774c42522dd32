/**
 * Who has opened something that outlasts a request: a preview link, or the signed address of a file. It ends with the
 * token, session, user or right behind it.
 */
import type { Actor } from '../../base/actor.ts';
import type { Grants } from '../../base/rights.ts';

/** What an opener may do now; without grants everything. */
export interface OpenerRights {
  readonly grants: Grants | undefined;
}

/** Finds what an opener may do now; undefined if it has ended. */
export type FindOpener = (opener: string) => Promise<OpenerRights | undefined>;

const kinds = { session: '1', token: '2', link: '3' } as const;
/** Characters after that of the kind; see `openerDigits` of signatures. */
const nameDigits = 23;

/** A caller, as rows and addresses name it: 24 hexadecimal digits that open nothing. Empty for one that does not end. */
export function nameOpener(actor: Actor): string {
  if (actor.kind === 'session') return `${kinds.session}${actor.sessionHash.slice(0, nameDigits)}`;
  return actor.kind === 'token' ? nameRow('token', actor.id) : '';
}

/** The opener of what a preview link shows. */
export function nameLink(id: number): string {
  return nameRow('link', id);
}

function nameRow(kind: 'token' | 'link', id: number): string {
  return `${kinds[kind]}${id.toString(16).padStart(nameDigits, '0')}`;
}

/** The ID of the token or link that an opener names; undefined for other openers. */
export function readRowOpener(opener: string, kind: 'token' | 'link'): number | undefined {
  return opener.startsWith(kinds[kind]) ? Number.parseInt(opener.slice(1), 16) : undefined;
}

/** The start of the hash of the session that an opener names; undefined for other openers. */
export function readSessionOpener(opener: string): string | undefined {
  return opener.startsWith(kinds.session) ? opener.slice(1) : undefined;
}
