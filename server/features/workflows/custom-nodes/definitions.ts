import type { Commit } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FlowNode } from './model.ts';
import { parametersOf } from './rules.ts';
import * as store from './store.ts';

/** The custom nodes as committed, in memory, because every run of a workflow looks at them. */
export class Definitions {
  readonly #reader: ContentDb;
  #byKey: ReadonlyMap<string, FlowNode> = new Map();

  private constructor(reader: ContentDb) {
    this.#reader = reader;
  }

  static async open(reader: ContentDb): Promise<Definitions> {
    const definitions = new Definitions(reader);
    await definitions.#load();
    return definitions;
  }

  /** The definition that a flow names by its key. */
  find(key: string): FlowNode | undefined {
    return this.#byKey.get(key);
  }

  /** What the code gets as `params`. @throws Error for a value that does not fit */
  parametersOf({ params }: FlowNode, given: Readonly<Record<string, unknown>>): object {
    return parametersOf(params, given);
  }

  /** Reads the definitions again. */
  reload(): Promise<void> {
    return this.#load();
  }

  onCommit(commits: readonly Commit[]): void {
    const isTouched = commits.some(({ records }) =>
      records.some(({ kind }) => kind === 'flow_node' || kind === 'bundle'),
    );
    if (isTouched) void this.#load();
  }

  async #load(): Promise<void> {
    const all = await store.flowNodes.list(this.#reader);
    this.#byKey = new Map(all.map((node) => [node.key, node]));
  }
}
