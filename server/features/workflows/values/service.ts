import type { Actor } from '../../../base/actor.ts';
import type { Changes } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import * as store from './store.ts';

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
   * Answers `store.get`, `store.set` and `store.keys` of a function node.
   *
   * @returns JSON; undefined for no value
   */
  async call(workflowId: number, action: string, args: readonly unknown[]): Promise<string | undefined> {
    const { reader } = this.#deps;
    switch (action) {
      case 'get':
        return store.findValue(reader, workflowId, keyIn(args));
      case 'set':
        await this.#set(workflowId, keyIn(args), args[1]);
        return undefined;
      case 'keys':
        return JSON.stringify(await store.listKeys(reader, workflowId));
      default:
        throw new Error(`there is no store.${action}()`);
    }
  }

  list(workflowId: number) {
    return store.listValues(this.#deps.reader, workflowId);
  }

  /** Deletes one value, or all. */
  async clear(actor: Actor, workflowId: number, key?: string): Promise<void> {
    await this.#deps.changes.changeUnversioned(actor, ({ tx }) =>
      key === undefined ? store.deleteValues(tx, workflowId) : store.deleteValue(tx, workflowId, key),
    );
  }

  async #set(workflowId: number, key: string, value: unknown): Promise<void> {
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json !== undefined && json.length > maxValueLength)
      throw new Error(`the value of "${key}" has more than 1 MB`);
    await this.#deps.changes.changeUnversioned({ kind: 'none' }, async ({ tx, now }) => {
      if (json === undefined) return store.deleteValue(tx, workflowId, key);
      const isNew = (await store.findValue(tx, workflowId, key)) === undefined;
      if (isNew && (await store.countValues(tx, workflowId)) >= maxKeys)
        throw new Error(`the store has ${maxKeys} keys already`);
      await store.saveValue(tx, { workflow_id: workflowId, key, value: json, updated_at: now });
    });
  }
}

function keyIn([key]: readonly unknown[]): string {
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength || !key.isWellFormed())
    throw new Error(`a key is a text of 1 to ${maxKeyLength} characters`);
  return key;
}
