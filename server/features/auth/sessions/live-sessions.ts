import { type Clock, unixSeconds } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Changes } from '../../../changes/changes.ts';
import { Followed, type Follower } from '../../../changes/followers.ts';
import type { ActivityStore } from '../../../db/activity.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { sessionSeconds } from '../cookie.ts';
import { LastUses, usageFlushSeconds } from '../last-uses.ts';
import { signInSettings } from '../settings.ts';
import * as store from './store.ts';

export interface LiveSessionsDeps {
  readonly reader: ContentDb;
  readonly changes: Pick<Changes, 'changeUnversioned'>;
  readonly activity: ActivityStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether other nodes use sessions too. */
  readonly isShared: boolean;
}

export type LiveSession = store.StoredSession & { readonly last_used_at: number };

/** The sessions that have not ended, neither by time nor for want of use (`idle_minutes` of /system). */
export class LiveSessions {
  readonly #deps: LiveSessionsDeps;
  readonly #idleSeconds: Followed<number>;
  readonly #uses: LastUses<string>;

  constructor(deps: LiveSessionsDeps) {
    this.#deps = deps;
    const { reader, activity, clock, log } = deps;
    this.#idleSeconds = new Followed(['settings'], async () => {
      const { idle_minutes: minutes } = await signInSettings.read(reader);
      return 60 * minutes;
    });
    this.#uses = new LastUses({
      ...{ activity, clock, log },
      async save(db, hash, usedAt) {
        await store.saveUse(db, hash, usedAt);
        await store.deleteUsesBefore(db, usedAt - sessionSeconds);
      },
      afterFlush: () => this.#endIdle(),
    });
  }

  get follower(): Follower {
    return this.#idleSeconds;
  }

  /** A session by the hash of its cookie, with its user. */
  async find(hash: string): Promise<store.UserSession | undefined> {
    const { reader, clock } = this.#deps;
    const session = await store.findSession(reader, hash, unixSeconds(clock));
    if (session === undefined) return undefined;
    const idleSeconds = await this.#idleSeconds.get();
    return idleSeconds > 0 && (await this.#isIdle(session, idleSeconds)) ? undefined : session;
  }

  /** A session by the start of its hash, which names it. */
  async findByStart(start: string): Promise<store.UserSession | undefined> {
    const [found] = await store.listSessionsByStart(this.#deps.reader, start);
    return found && this.find(found.hash);
  }

  noteUse(hash: string): void {
    this.#uses.note(hash);
  }

  /** The sessions of a user, the newest first. */
  async listOf(userId: number): Promise<LiveSession[]> {
    return this.#withUses(await store.listSessionsOf(this.#deps.reader, userId));
  }

  /** Writes the collected uses and stops collecting. */
  close(): Promise<void> {
    return this.#uses.close();
  }

  async #isIdle(session: store.StoredSession, idleSeconds: number): Promise<boolean> {
    const { activity } = this.#deps;
    const { hash } = session;
    const used = this.#uses.unwritten.get(hash) ?? (await store.findUse(activity.reader, hash));
    return this.#isOver(createdAt(session), used, idleSeconds);
  }

  /** Other nodes write late what they know of uses. */
  #isOver(createdAt: number, usedAt: number | undefined, idleSeconds: number): boolean {
    const { clock, isShared } = this.#deps;
    const lateSeconds = isShared ? 2 * usageFlushSeconds : 0;
    return unixSeconds(clock) >= Math.max(createdAt, usedAt ?? 0) + idleSeconds + lateSeconds;
  }

  async #withUses(sessions: readonly store.StoredSession[]): Promise<LiveSession[]> {
    const { activity, clock } = this.#deps;
    const now = unixSeconds(clock);
    const idleSeconds = await this.#idleSeconds.get();
    const written = await store.listUses(activity.reader);
    return sessions.flatMap((session) => {
      const { hash, expires_at } = session;
      const used = this.#uses.unwritten.get(hash) ?? written.get(hash);
      const isOver =
        expires_at <= now || (idleSeconds > 0 && this.#isOver(createdAt(session), used, idleSeconds));
      return isOver ? [] : [{ ...session, last_used_at: Math.max(createdAt(session), used ?? 0) }];
    });
  }

  /** Deletes what has ended for want of use, so that a longer time does not open it again. */
  async #endIdle(): Promise<void> {
    if ((await this.#idleSeconds.get()) === 0) return;
    const { reader, changes } = this.#deps;
    const all = await store.listSessions(reader);
    const live = new Set((await this.#withUses(all)).map(({ hash }) => hash));
    const over = all.filter(({ hash }) => !live.has(hash));
    if (over.length === 0) return;
    await changes.changeUnversioned({ kind: 'none' }, async ({ tx }) => {
      for (const { hash } of over) await store.deleteSession(tx, hash);
    });
  }
}

/** All sessions last equally long. */
export function createdAt({ expires_at }: Pick<store.StoredSession, 'expires_at'>): number {
  return expires_at - sessionSeconds;
}
