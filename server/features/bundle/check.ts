/** Whether the objects of a bundle are what the API could have stored, before anything is written. */
import { Compile, type Validator } from 'typebox/compile';
import { findProperties } from '../../api/json-schema.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import { findWrongColumn } from '../../db/object-table.ts';
import type { ContentDb } from '../../db/tables.ts';
import { invalidBundle } from './archive.ts';
import { differences, type RowDifference, type TableRows } from './rows.ts';

/** The checks of all kinds, which are made once. */
export class ObjectChecks {
  readonly #checks = new Map<string, StateCheck>();

  /**
   * Looks at all objects that an import would create or change.
   *
   * @throws ApiError `bundle.invalid` that names the object
   */
  async refuseFaults(staged: ContentDb, target: ContentDb, tables: readonly TableRows[]): Promise<void> {
    for (const kind of new Set(tables.map(({ table }) => table.kind))) {
      const fault = await kind.bundle?.faultIn?.(staged);
      if (fault !== undefined) throw invalidBundle(fault);
    }
    for (const { table } of tables) {
      const fault = await table.attached?.faultIn?.(staged);
      if (fault !== undefined) throw invalidBundle(fault);
    }
    for (const rows of tables)
      if (rows.table.name === rows.table.kind.tables[0]) await this.#refuseFaultsIn(rows, staged, target);
  }

  async #refuseFaultsIn(rows: TableRows, staged: ContentDb, target: ContentDb): Promise<void> {
    const { kind } = rows.table;
    const check = this.#checks.get(kind.name) ?? new StateCheck(kind);
    this.#checks.set(kind.name, check);
    const slices = new TimeSlices();
    for await (const difference of differences(rows, target, staged)) {
      if (difference.action === 'deleted') continue;
      const wrong = findWrongColumn(rows.table.name, difference.after);
      if (wrong !== undefined) throw invalidValue(kind, readObjectId(rows, difference), wrong);
      await check.refuseFault(staged, readObjectId(rows, difference));
      await slices.next();
    }
  }
}

/** The ID of the object that a row belongs to. */
export function readObjectId({ table }: TableRows, difference: RowDifference): number {
  return Number((difference.action === 'deleted' ? difference.before : difference.after)[table.owner]);
}

function invalidValue({ name }: Kind, id: number, field: string) {
  return invalidBundle(`${name} ${id}: ${field} has a value that is not possible`);
}

/** Compares the state of objects with the schemas of their answers and changes, as far as they have the same fields. */
class StateCheck {
  readonly #kind: Kind;
  readonly #fields: readonly (readonly [string, Validator])[];

  constructor(kind: Kind) {
    this.#kind = kind;
    const { answer, update } = kind.schemas;
    this.#fields = [answer, update]
      .flatMap((body) => [...(findProperties(body) ?? [])])
      .map(
        // Type boundary: the properties of a typebox schema are schemas.
        ([name, schema]) => [name, Compile(schema as Kind['schemas']['answer'])] as const,
      );
  }

  async refuseFault(db: ContentDb, id: number): Promise<void> {
    const state = await this.#find(db, id);
    const values = new Map<string, unknown>(Object.entries(state));
    const wrong = this.#fields.find(
      ([name, validator]) => values.has(name) && !validator.Check(values.get(name)),
    );
    if (wrong !== undefined) throw invalidValue(this.#kind, id, wrong[0]);
  }

  async #find(db: ContentDb, id: number): Promise<ObjectState> {
    let state: ObjectState | undefined;
    try {
      state = await this.#kind.find(db, id);
    } catch (error) {
      throw invalidBundle(
        `${this.#kind.name} ${id} cannot be read: ${error instanceof Error ? error.message : ''}`,
      );
    }
    if (state === undefined) throw invalidBundle(`${this.#kind.name} ${id} is not there`);
    return state;
  }
}
