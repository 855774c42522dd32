import type { Change, Changes } from '../change.ts';
import type { Config } from '../config.ts';
import type { ContentDb } from '../db/tables.ts';
import { readFlags, type SystemFlag, saveFlag } from './store.ts';

/**
 * Whether people can sign in (Core, "Authentication", rule 9; document 2, states of "Admin"). Closed, the admin, its
 * endpoints and sessions do not exist; pages, tokens and the rest go on.
 *
 * It is closed by a start option, which nothing can change while the process runs, or by a stored setting. The
 * settings are read once: one process owns the data directory.
 */
export interface AdminGate {
  readonly headless: boolean;
  readonly adminEnabled: boolean;
  /** A start option keeps it closed. */
  readonly forced: boolean;
  readonly isOpen: boolean;
  /** Whether people can sign in through this host (`-admin-host`). @param host Host header, lower case */
  isOpenOn(host: string): boolean;
  /** Stores settings; they hold from the commit of the change on. */
  set(change: Change, flags: Partial<SystemFlags>): Promise<void>;
}

export type SystemFlags = Record<SystemFlag, boolean>;

export interface AdminGateDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly config: Pick<Config, 'headless' | 'admin' | 'adminHost'>;
}

/** Reads the settings, after `-enable-admin` has put them right. */
export async function createAdminGate({ reader, changes, config }: AdminGateDeps): Promise<AdminGate> {
  const stored = await readFlags(reader);
  const forced = config.headless || config.admin === 'off';
  const gate: AdminGate = {
    get headless() {
      return config.headless || (stored.headless ?? false);
    },
    get adminEnabled() {
      return !forced && (stored.admin_enabled ?? true);
    },
    forced,
    get isOpen() {
      return this.adminEnabled && !this.headless;
    },
    isOpenOn(host) {
      return this.isOpen && (config.adminHost === undefined || nameOf(host) === config.adminHost);
    },
    async set(change, flags) {
      for (const name of ['admin_enabled', 'headless'] as const) {
        const value = flags[name];
        if (value !== undefined) await saveFlag(change.tx, name, value);
      }
      change.after(() => Object.assign(stored, flags));
    },
  };
  if (config.admin === 'on' && !gate.isOpen) {
    await changes.administer({ kind: 'none' }, (change) =>
      gate.set(change, { admin_enabled: true, headless: false }),
    );
  }
  return gate;
}

/** A Host header without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}
