import { LRUCache } from 'lru-cache';
import type { Log } from '../../base/log.ts';
import type { ContentDb } from '../../db/tables.ts';
import { compileFlow, type Graph } from './flow/graph.ts';
import { type InputMatch, InputRouter, type RoutedInput } from './input-router.ts';
import { parseInputPath } from './message/input-path.ts';
import type { StoredWorkflow } from './model.ts';
import type { NodeServices } from './node-services.ts';
import { nodeTypes } from './nodes/index.ts';
import type { EventAction } from './nodes/node-type.ts';
import type { ScheduledStart } from './schedules.ts';
import * as store from './store.ts';

/** A workflow that can run. */
export interface RunnableWorkflow {
  readonly id: number;
  readonly name: string;
  readonly graph: Graph;
}

/** A start node of an active workflow. */
export interface WorkflowStart {
  readonly workflow: RunnableWorkflow;
  /** Index of the node. */
  readonly node: number;
}

export interface ActiveInput extends WorkflowStart, RoutedInput {
  readonly isPublic: boolean;
}

/** The inputs that answer a path. */
export interface RoutedPath {
  /** Below `/flows`, decoded. */
  readonly path: string;
  readonly matches: readonly InputMatch<ActiveInput>[];
}

interface ActiveDeps {
  readonly reader: ContentDb;
  readonly services: NodeServices;
  readonly log: Log;
  /** Told when the schedules may have changed. */
  schedule(starts: readonly ScheduledStart[]): void;
}

interface Loaded extends RunnableWorkflow {
  readonly updatedAt: number;
}

/**
 * The active workflows, compiled once for each version. Call `ready()` before each use. It reloads changed workflows,
 * so a client that received the response to a change never runs the old version.
 */
export class ActiveWorkflows {
  readonly #deps: ActiveDeps;
  #workflows = new Map<number, Loaded>();
  #router = new InputRouter<ActiveInput>([]);
  /** The last paths that were asked for. */
  readonly #routed = new LRUCache<string, RoutedPath>({ max: 200 });
  #events = new Map<string, WorkflowStart[]>();
  #isStale = true;
  #loading: Promise<void> | undefined;

  constructor(deps: ActiveDeps) {
    this.#deps = deps;
  }

  /** Whether the workflows are those of the last commit. */
  get isReady(): boolean {
    return !this.#isStale && this.#loading === undefined;
  }

  /** Reads the workflows again, or before their next use if that fails. */
  reload(): Promise<void> {
    this.#isStale = true;
    return this.ready();
  }

  /** Resolves when the workflows are those of the last commit. */
  async ready(): Promise<void> {
    while (!this.isReady) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** Whether changes of entries may start something. */
  get hasEvents(): boolean {
    return this.#isStale || this.#events.size > 0;
  }

  find(id: number): RunnableWorkflow | undefined {
    return this.#workflows.get(id);
  }

  /** The active workflow of this name that was created first. */
  findByName(name: string): RunnableWorkflow | undefined {
    const named = [...this.#workflows.values()].filter((workflow) => workflow.name === name);
    return named.sort((left, right) => left.id - right.id)[0];
  }

  /** The inputs that answer a path, the best first. @param parts decoded parts of the path */
  inputsOf(parts: readonly string[]): readonly InputMatch<ActiveInput>[] {
    return this.#router.match(parts);
  }

  /** The same for the path of a request; undefined if there are none. @param path raw, below `/flows/` */
  inputsFor(path: string): RoutedPath | undefined {
    const known = this.#routed.get(path);
    if (known !== undefined) return known;
    const parts = decodedParts(path);
    const matches = parts === undefined ? [] : this.inputsOf(parts);
    if (parts === undefined || matches.length === 0) return undefined;
    const found = { path: `/${parts.join('/')}`, matches };
    this.#routed.set(path, found);
    return found;
  }

  /** Whether something may start after such a change; true as long as that is not known. */
  mayStartAfter(collection: string, action: EventAction): boolean {
    return this.#isStale || this.#events.has(eventKey(collection, action));
  }

  startsAfter(collection: string, action: EventAction): readonly WorkflowStart[] {
    return this.#events.get(eventKey(collection, action)) ?? [];
  }

  async #load(): Promise<void> {
    const { services, schedule } = this.#deps;
    const states = await this.#listEnabled();
    this.#workflows = new Map(
      states.flatMap((state) => {
        const loaded = this.#compiled(state);
        return loaded === undefined ? [] : [[state.id, loaded]];
      }),
    );
    const starts = [...this.#workflows.values()].flatMap((workflow) =>
      workflow.graph.flatMap(({ trigger }, node) =>
        trigger === undefined ? [] : [{ workflow, node, trigger }],
      ),
    );
    const inputs: ActiveInput[] = [];
    const events = new Map<string, WorkflowStart[]>();
    const scheduled: ScheduledStart[] = [];
    for (const { workflow, node, trigger } of starts) {
      if (trigger.kind === 'cron') {
        const nodeId = workflow.graph[node]?.id ?? '';
        scheduled.push({ workflowId: workflow.id, node, nodeId, pattern: trigger.pattern });
      } else if (trigger.kind === 'http') {
        const { method, path, isPublic } = trigger;
        inputs.push({ workflow, node, method, isPublic, segments: parseInputPath(path) });
      } else {
        for (const action of trigger.actions) {
          const key = eventKey(trigger.collection, action);
          events.set(key, [...(events.get(key) ?? []), { workflow, node }]);
        }
      }
    }
    this.#router = new InputRouter(inputs);
    this.#routed.clear();
    this.#events = events;
    schedule(scheduled);
    services.code.expectRuns([...this.#workflows.values()].some(runsCode));
  }

  async #listEnabled(): Promise<StoredWorkflow[]> {
    this.#isStale = false;
    try {
      return (await store.workflows.list(this.#deps.reader)).filter(({ enabled }) => enabled);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  #compiled({ id, name, updated_at: updatedAt, flow }: StoredWorkflow): Loaded | undefined {
    const known = this.#workflows.get(id);
    if (known?.updatedAt === updatedAt) return known;
    try {
      return { id, name, updatedAt, graph: compileFlow(flow, this.#deps.services) };
    } catch (error) {
      this.#deps.log.warn({ err: error, workflow: id }, 'a workflow cannot run');
      return undefined;
    }
  }
}

function decodedParts(path: string): readonly string[] | undefined {
  try {
    const parts = path.split('/').map(decodeURIComponent);
    return parts.includes('') ? undefined : parts;
  } catch {
    return undefined;
  }
}

function runsCode({ graph }: RunnableWorkflow): boolean {
  return graph.some(({ type }) => nodeTypes.get(type)?.runsCode === true);
}

function eventKey(collection: string, action: EventAction): string {
  return `${action} ${collection}`;
}
