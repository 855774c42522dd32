import type { WorkflowActor } from '../../base/actor.ts';
import { busy } from '../../base/errors.ts';
import { SlotSet } from '../../base/slot-set.ts';
import type { RunnableWorkflow } from './active.ts';
import type { FlowResponse, Message } from './message/message.ts';
import { FlowRun, type RunListener, type RunOutcome, type RunTools } from './run/runner.ts';
import type { LoggedRun, RunLog } from './runs/log.ts';
import type { TriggerKind } from './runs/model.ts';

/** Most runs at the same time. */
const maxRuns = 500;

/** A run to be started. */
export interface StartRequest {
  readonly workflow: RunnableWorkflow;
  /** Index of the start node. */
  readonly node: number;
  readonly message: Message;
  readonly trigger: TriggerKind;
  readonly timeLimitMs: number;
  /** See `WorkflowActor`; default: 0. */
  readonly level?: number;
  readonly hop?: number;
}

/** A run that was started. */
export interface StartedRun {
  /** The answer of the run as soon as there is one; undefined if the run ends without. */
  readonly response: Promise<FlowResponse | undefined>;
  readonly end: Promise<RunOutcome>;
  /** As the log has it; resolves when the run has ended. */
  readonly logged: Promise<LoggedRun>;
}

/** What is told of a run. */
export interface EngineListener {
  /** Its answer, as soon as there is one. */
  responded(response: FlowResponse): void;
  /** Its end, once. @param run as the log has it */
  ended(outcome: RunOutcome, run: LoggedRun): void;
}

/** Starts runs, keeps their number in bounds, and hands those that have ended to the log. */
export class Engine {
  readonly #tools: RunTools;
  readonly #log: RunLog;
  readonly #running = new SlotSet<LaunchedRun>();
  #isClosed = false;

  constructor(tools: RunTools, log: RunLog) {
    this.#tools = tools;
    this.#log = log;
  }

  /** @throws ApiError 503 `common.busy` if there are too many runs, or the server stops */
  start(launch: StartRequest): StartedRun {
    const response = Promise.withResolvers<FlowResponse | undefined>();
    const end = Promise.withResolvers<RunOutcome>();
    const logged = Promise.withResolvers<LoggedRun>();
    this.launch(launch, {
      responded: response.resolve,
      ended(outcome, run) {
        response.resolve(undefined);
        end.resolve(outcome);
        logged.resolve(run);
      },
    });
    return { response: response.promise, end: end.promise, logged: logged.promise };
  }

  /** `start` for those who need no promises. @throws as `start` */
  launch(launch: StartRequest, listener: EngineListener): void {
    if (this.#isClosed || this.#running.size >= maxRuns) throw busy(1);
    new LaunchedRun(launch, listener, this.#tools, this.#log, this.#running).begin();
  }

  /** Ends the runs of a workflow that is gone. Resolves when they have ended. */
  async cancelOf(workflowId: number): Promise<void> {
    await this.#cancel((id) => id === workflowId, 'the workflow was deleted');
  }

  /** Ends all runs and takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#cancel(() => true, 'the server was stopped');
  }

  async #cancel(isMeant: (workflowId: number) => boolean, reason: string): Promise<void> {
    const meant = [...this.#running].filter(({ workflowId }) => isMeant(workflowId));
    await Promise.all(meant.map((run) => run.cancel(reason)));
  }
}

/** A run with its place among those that run. */
class LaunchedRun implements RunListener {
  readonly #launch: StartRequest;
  readonly #listener: EngineListener;
  readonly #log: RunLog;
  readonly #running: SlotSet<LaunchedRun>;
  readonly #run: FlowRun;
  readonly #slot: number;
  #whenEnded: (() => void) | undefined;

  constructor(
    launch: StartRequest,
    listener: EngineListener,
    tools: RunTools,
    log: RunLog,
    running: SlotSet<LaunchedRun>,
  ) {
    const { workflow, node, message, timeLimitMs, level = 0, hop = 0 } = launch;
    const { id, name, graph } = workflow;
    const actor: WorkflowActor = { kind: 'workflow', id, name, level, hop };
    this.#launch = launch;
    this.#listener = listener;
    this.#log = log;
    this.#running = running;
    this.#run = new FlowRun({ graph, start: node, message, actor, timeLimitMs }, tools, this);
    this.#slot = running.add(this);
  }

  get workflowId(): number {
    return this.#launch.workflow.id;
  }

  begin(): void {
    this.#run.begin();
  }

  /** Resolves when it has ended. */
  cancel(reason: string): Promise<void> {
    this.#run.cancel(reason);
    if (this.#running.at(this.#slot) !== this) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEnded = resolve;
    });
  }

  responded(response: FlowResponse): void {
    this.#listener.responded(response);
  }

  ended(outcome: RunOutcome): void {
    this.#running.remove(this.#slot, this);
    const { workflow, node, trigger, message } = this.#launch;
    const startNode = workflow.graph[node]?.id ?? '';
    const logged = this.#log.add({ workflowId: workflow.id, trigger, startNode, message }, outcome);
    this.#listener.ended(outcome, logged);
    this.#whenEnded?.();
  }
}
