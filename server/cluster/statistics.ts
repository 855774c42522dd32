/** Visitor statistics of several nodes: what the thread that counts shares with those of other nodes. */
import { randomBytes } from 'node:crypto';
import type { Log } from '../base/log.ts';
import { Secrets } from '../base/secrets.ts';
import type { SharedStatisticsSettings } from '../db/activity.ts';
import { SharedActivity } from './activity.ts';
import { literal } from './connection.ts';
import { Session } from './session.ts';

/** Opens the replica with the newest version. @throws LostConnection */
export async function openSharedStatistics(
  { url, folder, instance }: SharedStatisticsSettings,
  busyTimeoutMs: number,
  log: Log,
): Promise<SharedActivity> {
  const shared = new SharedActivity({ lane: 'statistics', url, folder, instance, busyTimeoutMs, log });
  try {
    await shared.open();
    return shared;
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/** What the salt is encrypted for. */
const purpose = 'statistics.salt';
const saltBytes = 32;

/**
 * The random salt of a day, the same on all nodes, so that a visitor of two nodes counts once. PostgreSQL has it
 * encrypted and apart from the tables, so neither a replica nor a copy of the database without the key tells which
 * address a visitor had. It is deleted when the next day begins.
 */
export class SharedSalt {
  readonly #secrets: Secrets;
  readonly #session: Session;
  #known: { readonly day: number; readonly salt: Buffer } | undefined;

  constructor({ url, folder, encryptionKey }: SharedStatisticsSettings) {
    this.#secrets = new Secrets(folder, encryptionKey);
    this.#session = new Session({ url, purpose: 'statistics salt' });
  }

  /** @throws LostConnection; ApiError `storage.secretUndecryptable` when the nodes have different keys */
  async of(day: number): Promise<Buffer> {
    if (this.#known?.day === day) return this.#known.salt;
    const sealed = this.#secrets.seal(randomBytes(saltBytes).toString('hex'), purpose);
    try {
      const [, , found = []] = await this.#session.query(
        `DELETE FROM incipit.salts WHERE day < ${day};
         INSERT INTO incipit.salts (day, sealed) VALUES (${day}, ${literal(sealed)}) ON CONFLICT DO NOTHING;
         SELECT sealed FROM incipit.salts WHERE day = ${day}`,
      );
      const salt = Buffer.from(this.#secrets.open(String(found[0]?.['sealed']), purpose), 'hex');
      this.#known = { day, salt };
      return salt;
    } finally {
      // It is needed once a day, so no connection is kept for it.
      this.#session.drop();
    }
  }
}
