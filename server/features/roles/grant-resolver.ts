import type { Grants } from '../../base/rights.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Role } from './model.ts';
import { administratorRole } from './service.ts';
import { listRoles } from './store.ts';

/** Most lists of roles that are remembered. */
const maxLists = 1_000;

/** Says what lists of roles give together. It reads the roles once after each change of them. */
export class GrantResolver {
  readonly #reader: ContentDb;
  #roles: Promise<ReadonlyMap<number, Role>> | undefined;
  readonly #resolved = new Map<string, Grants>();
  #timesForgotten = 0;

  constructor(reader: ContentDb) {
    this.#reader = reader;
  }

  /** @param roleIds stored JSON list. @returns undefined for everything */
  resolve(roleIds: string): Grants | undefined | Promise<Grants | undefined> {
    return roleIds === onlyAdministrator ? undefined : (this.#resolved.get(roleIds) ?? this.#read(roleIds));
  }

  /** To be called when roles may have changed. */
  forget(): void {
    this.#roles = undefined;
    this.#resolved.clear();
    this.#timesForgotten++;
  }

  /** Whether a role of a list demands a second factor. @param roleIds stored JSON list */
  async demandsFactor(roleIds: string): Promise<boolean> {
    if (roleIds === onlyAdministrator) return false;
    const roles = await this.#readRoles();
    return parseRoleIds(roleIds).some((id) => roles.get(id)?.require_factor === true);
  }

  #readRoles(): Promise<ReadonlyMap<number, Role>> {
    this.#roles ??= listRoles(this.#reader).then((roles) => new Map(roles.map((role) => [role.id, role])));
    return this.#roles;
  }

  async #read(roleIds: string): Promise<Grants | undefined> {
    const since = this.#timesForgotten;
    const ids = parseRoleIds(roleIds);
    if (ids.includes(administratorRole)) return undefined;
    const roles = await this.#readRoles();
    const grants = ids.flatMap((id) => roles.get(id)?.grants ?? []);
    if (this.#timesForgotten === since) {
      if (this.#resolved.size >= maxLists) this.#resolved.clear();
      this.#resolved.set(roleIds, grants);
    }
    return grants;
  }
}

const onlyAdministrator = JSON.stringify([administratorRole]);

/** Type boundary: only this program writes these lists. */
export function parseRoleIds(stored: string): number[] {
  return JSON.parse(stored) as number[];
}
