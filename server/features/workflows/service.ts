import { LRUCache } from 'lru-cache';
import type { Actor } from '../../base/actor.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { requireRight } from '../../base/refusals/refusal.ts';
import { placeObject, requireObjectRight } from '../../content/kinds/decide.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ActiveWorkflows, RunnableWorkflow } from './active.ts';
import type { Engine, StartedRun, StartRequest } from './engine.ts';
import { compileFlow, findStartNode } from './flow/graph.ts';
import { checkFlow, workflowIdentity } from './kind.ts';
import { Message } from './message/message.ts';
import type { Flow, FlowInput, StoredWorkflow } from './model.ts';
import type { NodeServices } from './node-services.ts';
import { maxRunMs } from './run/runner.ts';
import { type RunLog, toStartedRun } from './runs/log.ts';
import type { RunAnswer } from './runs/model.ts';
import type { ScheduledStart } from './schedules.ts';
import * as store from './store.ts';

interface ServiceDeps {
  readonly reader: ContentDb;
  readonly services: NodeServices;
  readonly engine: Engine;
  readonly active: ActiveWorkflows;
  readonly runs: RunLog;
}

interface RunRequest {
  readonly node?: string;
  readonly payload?: unknown;
  readonly flow?: FlowInput;
}

/** Flows that were run by hand and stay compiled. */
const maxCompiled = 100;

/** Runs of workflows that somebody or something asks for. */
export class WorkflowService {
  readonly #deps: ServiceDeps;
  readonly #compiled = new LRUCache<string, RunnableWorkflow>({ max: maxCompiled });
  /** Workflows with a scheduled run. */
  readonly #scheduled = new Set<number>();

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `common.notFound` */
  require(id: number): Promise<StoredWorkflow> {
    return requireObject(store.workflows, this.#deps.reader, id);
  }

  /**
   * Checks that a caller may run a workflow and see what it has done.
   *
   * @param request a flow that is not saved needs the right to write code
   * @throws ApiError `common.notFound`, 403 `auth.notAllowed`
   */
  async requireRunnable(
    { grants }: Actor,
    id: number,
    { flow }: Pick<RunRequest, 'flow'> = {},
  ): Promise<void> {
    const { reader } = this.#deps;
    const workflow = await this.require(id);
    await requireObjectRight(grants, 'run', workflowIdentity, reader, workflow);
    if (flow === undefined) return;
    const place = await placeObject(workflowIdentity, reader, workflow);
    requireRight(grants, 'code', place, { field: 'flow' });
  }

  /**
   * POST /workflows/{id}/run. Resolves when the run has ended.
   *
   * @throws ApiError `common.notFound`, `common.invalid`, `workflow.unknownNodeType`
   */
  async runByHand(id: number, { node, flow, ...request }: RunRequest): Promise<RunAnswer> {
    const state = await this.require(id);
    const { definitions } = this.#deps.services;
    const workflow =
      flow === undefined ? this.#runnable(state) : this.#compile(state, checkFlow(flow, definitions));
    const index = findStartNode(workflow.graph, node);
    if (index === undefined)
      throw invalid('node', node === undefined ? 'is missing: there is no start node' : 'is no start node');
    const message = Message.of('payload' in request ? { payload: request.payload } : {});
    return this.#answer({ workflow, node: index, message, trigger: 'manual', timeLimitMs: maxRunMs });
  }

  /**
   * POST /workflows/{id}/runs/{run}/retry: the message of a run, with the present flow.
   *
   * @throws ApiError `common.notFound`, `workflow.notRepeatable`
   */
  async repeat(id: number, runId: number): Promise<RunAnswer> {
    const workflow = this.#runnable(await this.require(id));
    const run = await this.#deps.runs.find(id, runId);
    if (run === undefined) throw apiError('common.notFound', {});
    const node = findStartNode(workflow.graph, run.startNode);
    if (node === undefined || run.message === '') throw apiError('workflow.notRepeatable', {});
    const message = Message.parse(run.message);
    return this.#answer({ workflow, node, message, trigger: 'manual', timeLimitMs: maxRunMs });
  }

  /** A start that is due. It is left out while the scheduled run before it has not ended. */
  runScheduled({ workflowId, node }: ScheduledStart): void {
    const workflow = this.#deps.active.find(workflowId);
    if (workflow === undefined || this.#scheduled.has(workflowId)) return;
    this.#scheduled.add(workflowId);
    const done = () => this.#scheduled.delete(workflowId);
    try {
      const launch = {
        workflow,
        node,
        message: Message.of({}),
        trigger: 'cron',
        timeLimitMs: maxRunMs,
      } as const;
      this.#deps.engine.start(launch).end.then(done);
    } catch {
      // The server has too many runs already, or stops.
      done();
    }
  }

  async #answer(launch: StartRequest): Promise<RunAnswer> {
    const started: StartedRun = this.#deps.engine.start(launch);
    const { response } = await started.end;
    const run = toStartedRun(await started.logged);
    if (response === undefined) return { run };
    const { status, headers, payload } = response;
    return { run, response: { status, headers: Object.fromEntries(headers), body: payload ?? null } };
  }

  #runnable(state: StoredWorkflow): RunnableWorkflow {
    const key = `${state.id} ${state.updated_at}`;
    const workflow = this.#compiled.get(key) ?? this.#compile(state, state.flow);
    this.#compiled.set(key, workflow);
    return workflow;
  }

  #compile({ id, name }: StoredWorkflow, flow: Flow): RunnableWorkflow {
    return { id, name, graph: compileFlow(flow, this.#deps.services) };
  }
}
