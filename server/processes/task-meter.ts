export type TaskOutcome = 'done' | 'failed' | 'refused' | 'lost';

/** What a pool did with the tasks of one kind. */
export interface TaskFigures {
  readonly task: string;
  /** Tasks by how they ended: refused by a full queue, lost with their worker. */
  readonly ended: Readonly<Record<TaskOutcome, number>>;
  /** Time from the request to the end of all tasks, waiting included. */
  readonly seconds: number;
}

/** Counts the tasks of a pool. */
export class TaskMeter {
  /** Tasks that wait or run. */
  unfinished = 0;
  readonly #figures = new Map<string, { ended: Record<TaskOutcome, number>; seconds: number }>();

  /** @returns what is to be called when the task has ended */
  begin(kind: string): (outcome: TaskOutcome) => void {
    const startedAt = performance.now();
    this.unfinished += 1;
    return (outcome) => {
      this.unfinished -= 1;
      const figures = this.#figuresOf(kind);
      figures.ended[outcome] += 1;
      figures.seconds += (performance.now() - startedAt) / 1000;
    };
  }

  figures(): TaskFigures[] {
    return [...this.#figures].map(([task, figures]) => ({ task, ...figures }));
  }

  #figuresOf(kind: string): { ended: Record<TaskOutcome, number>; seconds: number } {
    const known = this.#figures.get(kind);
    if (known !== undefined) return known;
    const figures = { ended: { done: 0, failed: 0, refused: 0, lost: 0 }, seconds: 0 };
    this.#figures.set(kind, figures);
    return figures;
  }
}
