/** Taking versions over from a log: which part comes next, and its rows in the replica. */
import { applySteps } from '../db/replica/apply.ts';
import { beginWriting } from '../db/replica/begin.ts';
import { type HistoryPosition, type Replica, setReplicaPosition } from '../db/replica/open.ts';
import type { PgRow } from './connection.ts';
import { toPosition } from './sql.ts';

/** A part of a version, as it stands in the log. */
export interface LogPart extends HistoryPosition {
  readonly part: number;
  /** ID of the commit before. */
  readonly previous: string;
  readonly body: string;
}

export function toPart(row: PgRow): LogPart {
  return {
    ...toPosition(row),
    part: Number(row['part']),
    previous: String(row['previous']),
    body: String(row['body']),
  };
}

/** How a log goes on from a position. `gap`: it does not reach back. */
export type Continuation = 'applied' | 'gap' | 'otherHistory';

/** The last part that was read. */
export class LogPlace {
  position: HistoryPosition;
  part = 2 ** 31 - 1;

  constructor(position: HistoryPosition) {
    this.position = position;
  }

  get version(): number {
    return this.position.version;
  }

  /** Goes on to the next part. */
  advance(next: LogPart): Continuation {
    const { version, commitId } = this.position;
    const isSameVersion = next.version === version;
    if (isSameVersion ? next.part !== this.part + 1 : next.version !== version + 1 || next.part !== 0)
      return 'gap';
    if ((isSameVersion ? next.commitId : next.previous) !== commitId) return 'otherHistory';
    this.position = next;
    this.part = next.part;
    return 'applied';
  }
}

/** A version that the replica cannot take: its rows contradict those of the replica. */
export class UnappliableVersion extends Error {
  override readonly name = 'UnappliableVersion';
}

/** Applies parts of versions, each version in one transaction of the replica. */
export class Applying<Tables> {
  readonly #replica: Replica<Tables>;
  readonly #onCommitted: (tables: ReadonlySet<string>) => void;
  #position: HistoryPosition | undefined;
  #tables = new Set<string>();

  /** @param onCommitted called with the names of the tables that a version has touched */
  constructor(replica: Replica<Tables>, onCommitted: (tables: ReadonlySet<string>) => void) {
    this.#replica = replica;
    this.#onCommitted = onCommitted;
  }

  /** @throws UnappliableVersion */
  async apply({ version, commitId, body }: LogPart): Promise<void> {
    const { applier, tables } = this.#replica;
    if (this.#position?.version !== version) {
      this.commit();
      await beginWriting(applier);
      this.#position = { version, commitId };
    }
    try {
      for (const table of await applySteps(applier, tables, body)) this.#tables.add(table);
    } catch (error) {
      throw new UnappliableVersion('a version cannot be applied', { cause: error });
    }
  }

  /** @throws UnappliableVersion */
  commit(): void {
    if (this.#position === undefined) return;
    const { applier } = this.#replica;
    try {
      setReplicaPosition(applier, this.#position);
      applier.execute('COMMIT');
    } catch (error) {
      throw new UnappliableVersion('a version cannot be applied', { cause: error });
    }
    this.#position = undefined;
    this.#onCommitted(this.#tables);
    this.#tables = new Set();
  }

  rollback(): void {
    if (this.#replica.applier.inTransaction) this.#replica.applier.execute('ROLLBACK');
    this.#position = undefined;
  }
}
