/** What keeps changes of several nodes in one order (`cluster/`). `Changes` runs each of its groups between `begin` and `end`. */
export interface CommitCoordinator {
  /**
   * Waits for this node's turn, and brings its content to the state that the last change of any node has left.
   *
   * @throws WriteLockUnavailable
   */
  begin(): Promise<void>;
  /**
   * Commits the open transaction for all nodes.
   *
   * @returns a promise, wrapped in an array so that `await commit()` does not wait for it. It resolves when every
   *   serving node has applied the commit, and rejects with OutcomeUnknown.
   * @throws WriteLockUnavailable when it was not committed; OutcomeUnknown
   */
  commit(): Promise<readonly [applied: Promise<void>]>;
  /** Gives the turn back, whatever has happened in it. */
  end(): void;
  /**
   * Resolves when every serving node has applied what this node has applied now, whichever node committed it.
   *
   * @throws WriteLockUnavailable when that cannot be found out
   */
  waitUntilApplied(): Promise<void>;
}

/** The commit may have happened: it was sent, and nothing says what became of it. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** This node could not acquire the write lock, so nothing was committed. */
export class WriteLockUnavailable extends Error {
  override readonly name = 'WriteLockUnavailable';
}

/** State of a node among others, for `/healthz` and `/metrics`. */
export interface NodeState {
  /** Whether it has a lease, without which it serves nothing. */
  readonly lease: boolean;
  /** Versions of other nodes that it knows of and has not applied. */
  readonly lag: number;
  /** Version that it has applied. */
  readonly version: number;
  /** Whether it does what only one node may do. */
  readonly leader: boolean;
}
