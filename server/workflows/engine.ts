import type { WorkflowActor } from '../actor.ts';
import { busy } from '../errors.ts';
import { SlotSet } from '../slot-set.ts';
import type { RunnableWorkflow } from './active.ts';
import type { Message } from './run/message.ts';
import { FlowRun, type RunTools } from './run/runner.ts';
import type { LoggedRun, RunLog } from './runs/log.ts';
import type { TriggerKind } from './runs/model.ts';

/** Most runs at the same time. */
const maxRuns = 500;

/** A run to be started. */
export interface Launch {
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
export interface StartedRun extends Pick<FlowRun, 'response' | 'end'> {
  /** As the log has it; resolves when the run has ended. */
  readonly logged: Promise<LoggedRun>;
}

/** Starts runs, keeps their number in bounds, and hands those that have ended to the log. */
export class Engine {
  readonly #tools: RunTools;
  readonly #log: RunLog;
  readonly #running = new SlotSet<FlowRun>();
  #isClosed = false;

  constructor(tools: RunTools, log: RunLog) {
    this.#tools = tools;
    this.#log = log;
  }

  /** @throws ApiError 503 `common.busy` if there are too many runs, or the server stops */
  start({ workflow, node, message, trigger, timeLimitMs, level = 0, hop = 0 }: Launch): StartedRun {
    if (this.#isClosed || this.#running.size >= maxRuns) throw busy(1);
    const { id, name, graph } = workflow;
    const actor: WorkflowActor = { kind: 'workflow', id, name, level, hop };
    const run = new FlowRun({ graph, start: node, message, actor, timeLimitMs }, this.#tools);
    const slot = this.#running.add(run);
    const startNode = graph[node]?.id ?? '';
    const logged = run.end.then((outcome) => {
      this.#running.remove(slot, run);
      return this.#log.add({ workflowId: id, trigger, startNode, message }, outcome);
    });
    return { response: run.response, end: run.end, logged };
  }

  /** Ends the runs of a workflow that is gone. Resolves when they have ended. */
  async cancelOf(workflowId: number): Promise<void> {
    await this.#cancel((run) => run.workflowId === workflowId, 'the workflow was deleted');
  }

  /** Ends all runs and takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#cancel(() => true, 'the server was stopped');
  }

  async #cancel(isMeant: (run: FlowRun) => boolean, reason: string): Promise<void> {
    const meant = [...this.#running].filter(isMeant);
    for (const run of meant) run.cancel(reason);
    await Promise.all(meant.map((run) => run.end));
  }
}
