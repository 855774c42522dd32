import { type Generated, type Selectable, sql } from 'kysely';
import type { Grants } from '../../base/rights.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Role } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    roles: RoleRow;
  }
}

interface RoleRow {
  id: Generated<number>;
  name: string;
  description: string;
  builtin: number;
  require_factor: number;
  /** JSON of `Grants`. */
  grants: string;
}

const rolesTable = contentTable('roles');

/** All roles, by ID. */
export async function listRoles(db: ContentDb): Promise<Role[]> {
  return (await selectAll(db)).map(fromRow);
}

export async function findRole(db: ContentDb, id: number): Promise<Role | undefined> {
  const row = await selectOne(db, id);
  return row === undefined ? undefined : fromRow(row);
}

/** Stores a new role and returns its ID. */
export async function insertRole(db: ContentDb, role: Omit<Role, 'id'>): Promise<number> {
  return (await insert.first(db, toRow(role)))?.id ?? 0;
}

export async function updateRole(db: ContentDb, id: number, role: Omit<Role, 'id'>): Promise<void> {
  const { name, description, require_factor, grants } = toRow(role);
  await update(db, id, name, description, require_factor, grants);
}

export const deleteRole = rolesTable.removeBy('id');

/** How many users and tokens have a role. */
export async function countHolders(
  db: ContentDb,
  id: number,
): Promise<{ readonly users: number; readonly tokens: number }> {
  // Of the JSON list with commas as its brackets, because SQLite and PostgreSQL read JSON differently.
  const pattern = `%,${id},%`;
  const users = (await countUsers.first(db, { pattern }))?.holders ?? 0;
  const tokens = (await countTokens.first(db, { pattern }))?.holders ?? 0;
  return { users, tokens };
}

function fromRow({ builtin, require_factor, grants, ...row }: Selectable<RoleRow>): Role {
  // Type boundary: only this store and its migration write the grants.
  const stored = JSON.parse(grants) as Grants;
  return { ...row, builtin: builtin !== 0, require_factor: require_factor !== 0, grants: stored };
}

function toRow({ name, description, builtin, require_factor, grants }: Omit<Role, 'id'>) {
  return {
    name,
    description,
    builtin: Number(builtin),
    require_factor: Number(require_factor),
    grants: JSON.stringify(grants),
  };
}

const selectAll = rolesTable.listBy([], ['id']);

const selectOne = rolesTable.findBy(['id']);

const update = rolesTable.updateBy(['id'], ['name', 'description', 'require_factor', 'grants']);

const insert = contentQuery((db, p: ReturnType<typeof toRow>) =>
  db
    .insertInto('roles')
    .values({
      name: p.name,
      description: p.description,
      builtin: p.builtin,
      require_factor: p.require_factor,
      grants: p.grants,
    })
    .returning('id'),
);

const countUsers = contentQuery((db, p: { pattern: string }) =>
  db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('holders'))
    .where(sql<boolean>`replace(replace(role_ids, '[', ','), ']', ',') like ${p.pattern}`),
);

const countTokens = contentQuery((db, p: { pattern: string }) =>
  db
    .selectFrom('tokens')
    .select(sql<number>`count(*)`.as('holders'))
    .where(sql<boolean>`replace(replace(role_ids, '[', ','), ']', ',') like ${p.pattern}`),
);

/** ID and slug of a collection that is named by either; undefined if it is gone. */
export function findCollectionNames(
  db: ContentDb,
  ref: number | string,
): Promise<{ readonly id: number; readonly slug: string } | undefined> {
  return typeof ref === 'number' ? collectionById(db, ref) : collectionBySlug(db, ref);
}

const collections = contentTable('collections');

const collectionById = collections.findBy(['id'], ['id', 'slug']);

const collectionBySlug = collections.findBy(['slug'], ['id', 'slug']);
