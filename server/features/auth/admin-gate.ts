import { hostName } from '../../../runtime/content/site-host.ts';
import type { Change, Changes } from '../../changes/changes.ts';
import type { Config } from '../../config/config.ts';
import { type Flags, readFlags, saveFlag } from '../../db/settings.ts';
import type { ContentDb } from '../../db/tables.ts';

export interface AdminGateDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly config: Pick<Config, 'headless' | 'admin' | 'adminHost'>;
}

/**
 * Whether users can sign in (Core, "Authentication", rule 9). When the gate is closed, the admin, its
 * endpoints and sessions do not exist; pages, tokens and everything else work as before.
 *
 * A start option or a stored setting closes the gate. A start option cannot be changed while the process
 * runs. The settings are read only once, and again after they were changed.
 */
export class AdminGate {
  readonly #config: AdminGateDeps['config'];
  readonly #reader: ContentDb;
  #stored: Partial<Flags>;
  /** Whether a start option keeps the gate closed. */
  readonly forced: boolean;

  private constructor({ config, reader }: AdminGateDeps, stored: Partial<Flags>) {
    this.#config = config;
    this.#reader = reader;
    this.#stored = stored;
    this.forced = config.headless || config.admin === 'off';
  }

  /** Reads the settings. With `-enable-admin` it also stores the settings that open the gate. */
  static async open(deps: AdminGateDeps): Promise<AdminGate> {
    const { reader, changes, config } = deps;
    const gate = new AdminGate(deps, await readFlags(reader));
    if (config.admin === 'on' && !gate.isOpen) {
      await changes.changeUnversioned({ kind: 'none' }, (change) =>
        gate.set(change, { admin_enabled: true, headless: false }),
      );
      await gate.reload();
    }
    return gate;
  }

  /** Reads the stored settings again. */
  async reload(): Promise<void> {
    this.#stored = await readFlags(this.#reader);
  }

  get headless(): boolean {
    return this.#config.headless || (this.#stored.headless ?? false);
  }

  get adminEnabled(): boolean {
    return !this.forced && (this.#stored.admin_enabled ?? true);
  }

  get isOpen(): boolean {
    return this.adminEnabled && !this.headless;
  }

  /** Whether users can sign in through this host (`-admin-host`). @param host Host header, lower case */
  isOpenOn(host: string): boolean {
    const { adminHost } = this.#config;
    return this.isOpen && (adminHost === undefined || hostName(host) === adminHost);
  }

  /** Stores settings. They take effect when the change is committed. */
  async set(change: Change, flags: Partial<Flags>): Promise<void> {
    for (const name of ['admin_enabled', 'headless'] as const) {
      const value = flags[name];
      if (value !== undefined) await saveFlag(change.tx, name, value);
    }
  }
}
