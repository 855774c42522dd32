import type { Actor } from '../../../base/actor.ts';
import type { Changes } from '../../../changes/changes.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    workflow_values: ValueRow;
  }
}

const workflowValues = contentTable('workflow_values');

/** Limits of the store of a workflow: characters of JSON of one value, characters of a key, number of keys. */
const maxValueLength = 2 ** 20;
const maxKeyLength = 500;
const maxKeys = 10_000;

interface ValuesDeps {
  readonly reader: ContentDb;
  readonly changes: Pick<Changes, 'changeUnversioned'>;
}

/** What the function nodes of a workflow keep from run to run (`store` in their code). */
export class WorkflowValues {
  readonly #deps: ValuesDeps;

  constructor(deps: ValuesDeps) {
    this.#deps = deps;
  }

  /**
   * Answers `get`, `set` and `keys` of a function node.
   *
   * @returns JSON; undefined for no value
   */
  async call(workflowId: number, action: string, args: readonly unknown[]): Promise<string | undefined> {
    const { reader } = this.#deps;
    switch (action) {
      case 'get':
        return findValue(reader, workflowId, keyIn(args));
      case 'set':
        await this.#set(workflowId, keyIn(args), args[1]);
        return undefined;
      case 'keys':
        return JSON.stringify((await selectKeys(reader, workflowId)).map((row) => row.key));
      default:
        throw new Error(`there is no store.${action}()`);
    }
  }

  list(workflowId: number) {
    return listValues(this.#deps.reader, workflowId);
  }

  /** Deletes one value, or all. */
  async clear(actor: Actor, workflowId: number, key?: string): Promise<void> {
    await this.#deps.changes.changeUnversioned(actor, ({ tx }) =>
      key === undefined ? removeAll(tx, workflowId) : removeOne(tx, workflowId, key),
    );
  }

  async #set(workflowId: number, key: string, value: unknown): Promise<void> {
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json !== undefined && json.length > maxValueLength)
      throw new Error(`the value of "${key}" has more than 1 MB`);
    await this.#deps.changes.changeUnversioned({ kind: 'none' }, async ({ tx, now }) => {
      if (json === undefined) {
        await removeOne(tx, workflowId, key);
        return;
      }
      const isNew = (await findValue(tx, workflowId, key)) === undefined;
      if (isNew && (await countValues(tx, workflowId)) >= maxKeys)
        throw new Error(`the store has ${maxKeys} keys already`);
      await saveValue(tx, { workflow_id: workflowId, key, value: json, updated_at: now });
    });
  }
}

function keyIn([key]: readonly unknown[]): string {
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength || !key.isWellFormed())
    throw new Error(`a key is a text of 1 to ${maxKeyLength} characters`);
  return key;
}

interface ValueRow {
  workflow_id: number;
  key: string;
  /** JSON */
  value: string;
  updated_at: number;
}

/** All values of a workflow, by key. */
const listValues = workflowValues.listBy(['workflow_id'], ['key'], ['key', 'value', 'updated_at']);

const findValue = workflowValues.findCellBy(['workflow_id', 'key'], 'value');

async function countValues(db: ContentDb, workflowId: number): Promise<number> {
  return Number((await selectCount.first(db, { workflowId }))?.count);
}

const saveValue = workflowValues.upsert(['workflow_id', 'key'], ['value', 'updated_at']);

const selectKeys = workflowValues.listBy(['workflow_id'], ['key'], ['key']);

const selectCount = contentQuery((db, p: { workflowId: number }) =>
  db
    .selectFrom('workflow_values')
    .select((count) => count.fn.countAll().as('count'))
    .where('workflow_id', '=', p.workflowId),
);

const removeOne = workflowValues.removeBy('workflow_id', 'key');

const removeAll = workflowValues.removeBy('workflow_id');
