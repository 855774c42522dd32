import type { ResultOf, Task } from '../../runtime/tasks/messages/index.ts';
import { PoolBusyError } from './pool.ts';
import { SourcedPool } from './sourced-pool.ts';
import { WorkerLostError } from './worker-process.ts';

type Outcome = 'done' | 'failed' | 'refused' | 'lost';

/** What the pool did with the tasks of one kind. */
export interface TaskFigures {
  readonly task: string;
  /** Tasks by how they ended: refused by a full queue, lost with their worker. */
  readonly ended: Readonly<Record<Outcome, number>>;
  /** Time from the request to the end of all tasks, waiting included. */
  readonly seconds: number;
}

/** A render pool that counts its tasks. */
export class MeasuredPool extends SourcedPool {
  readonly #figures = new Map<string, { ended: Record<Outcome, number>; seconds: number }>();
  #unfinished = 0;

  override async run<T extends Task>(task: T): Promise<ResultOf<T>> {
    const started = performance.now();
    this.#unfinished += 1;
    let outcome: Outcome = 'done';
    try {
      return await super.run(task);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.#unfinished -= 1;
      const figures = this.#figuresOf(task.kind);
      figures.ended[outcome] += 1;
      figures.seconds += (performance.now() - started) / 1000;
    }
  }

  /** Tasks that wait or run. */
  get unfinished(): number {
    return this.#unfinished;
  }

  figures(): TaskFigures[] {
    return [...this.#figures].map(([task, figures]) => ({ task, ...figures }));
  }

  #figuresOf(kind: string): { ended: Record<Outcome, number>; seconds: number } {
    const known = this.#figures.get(kind);
    if (known !== undefined) return known;
    const figures = { ended: { done: 0, failed: 0, refused: 0, lost: 0 }, seconds: 0 };
    this.#figures.set(kind, figures);
    return figures;
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof PoolBusyError) return 'refused';
  return error instanceof WorkerLostError ? 'lost' : 'failed';
}
