/** Work of the server that goes on while other screens are shown. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed';
  /** The step it is at; empty if it has none. */
  readonly step: string;
  /** How far it is, in a unit of its own; `total` is 0 as long as nobody knows. */
  readonly done: number;
  readonly total: number;
  /** The screen that has all of it. */
  readonly path: string;
  /** Undefined for what cannot be stopped. */
  cancel?: () => unknown;
}

/** Jobs of one kind. */
export interface KnownJobs {
  readonly jobs: readonly Job[];
  /** Whether the server is being asked. */
  readonly isAsking: boolean;
}
