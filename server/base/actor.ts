import type { Grants } from './rights.ts';

/** A workflow that changes content. */
export interface WorkflowActor {
  readonly kind: 'workflow';
  readonly id: number;
  readonly name: string;
  /** How many runs in a row were started by changes of entries, this one included (0 to 3). */
  readonly level: number;
  /** How many requests and deliveries in a row have led to the run; 0 for one that came from outside. */
  readonly hop: number;
}

/** The caller of a request, what it may do, and what the request wants besides of changes. */
export type Actor = Identity & {
  /** What the roles of a session or token give; undefined where no role limits the caller. */
  readonly grants?: Grants;
  /**
   * Set where the route needs a right that has no object, such as `settings`: then its changes are not checked one by
   * one.
   */
  readonly isDecided?: true;
  /** Set for requests that want pages to be checked before the commit. */
  readonly pageCheck?: PageCheckRequest;
};

/** How the check ends that `?check=pages` asks for. */
export interface PageCheckRequest {
  /** Whether all pages could be looked at in time. */
  isComplete: boolean;
}

/** Who calls. `none` is anonymous. A token has an id and a name for the version history. */
type Identity =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly name: string;
      readonly canWrite: boolean;
      /** The person that the header `X-IC-On-Behalf-Of` of a writing request names. */
      readonly onBehalfOf?: string;
    }
  | { readonly kind: 'master'; readonly onBehalfOf?: string }
  | WorkflowActor
  /** A website import. It calls no endpoint. */
  | { readonly kind: 'import' }
  | {
      readonly kind: 'session';
      readonly userId: number;
      readonly name: string;
      /** SHA-256 of the cookie's value, hex. The database stores only this hash. */
      readonly sessionHash: string;
      /** Until when sensitive things may be done in it, in Unix seconds; see `confirmation.ts`. */
      readonly confirmedUntil: number;
      /** Whether a role demands a second factor and there is none yet. */
      readonly lacksFactor?: true;
      /** Whether the login still waits for a second factor, because an invitation or a provider took the place of a password. */
      readonly awaitsFactor?: true;
      /** Whether the user must choose another password before anything else. */
      readonly mustChangePassword?: true;
      /** The connection that the browser has selected (remote mode), whether it exists or not. */
      readonly remoteId?: number;
    };

/** A caller who has signed in. */
export type SessionActor = Extract<Actor, { kind: 'session' }>;

/**
 * The author name in the version history: user, token or master token, with the person a token writes for.
 */
export function formatAuthor(actor: Actor): string {
  switch (actor.kind) {
    case 'session':
      return actor.name;
    case 'token':
      return onBehalf(actor.name, actor.onBehalfOf);
    case 'master':
      return onBehalf('Master-Token', actor.onBehalfOf);
    case 'workflow':
      return `Workflow ${actor.name}`;
    case 'import':
      return 'Import';
    case 'none':
      return 'Incipit';
  }
}

function onBehalf(name: string, person: string | undefined): string {
  return person === undefined ? name : `${name} (for ${person})`;
}
