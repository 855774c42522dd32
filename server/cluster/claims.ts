import { literal } from './connection.ts';
import { Session } from './session.ts';

interface ClaimsOptions {
  readonly url: string;
  /** ID of this run of the node. */
  readonly node: string;
}

/** What one node may do once, such as a planned start of a workflow. The connection opens with the first claim. */
export class Claims {
  readonly #session: Session;
  readonly #node: string;

  constructor({ url, node }: ClaimsOptions) {
    this.#session = new Session({ url, purpose: 'claims' });
    this.#node = node;
  }

  /**
   * Claims something for this node. If the outcome is unknown, ask again: the same node gets the same answer.
   *
   * @param name of what is done; nobody may need it again after three hours, when it is forgotten
   * @returns false if another node has claimed it
   * @throws LostConnection
   */
  async claim(name: string): Promise<boolean> {
    const [, rows] = await this.#session.query(
      `DELETE FROM incipit.claims WHERE claimed_at < now() - interval '3 hours';
       INSERT INTO incipit.claims (name, node) VALUES (${literal(name)}, ${literal(this.#node)})
       ON CONFLICT (name) DO UPDATE SET node = incipit.claims.node RETURNING node`,
    );
    return rows?.[0]?.['node'] === this.#node;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
