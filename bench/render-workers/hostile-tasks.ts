/** What strangers may try in a worker. */
export type HostileTask =
  /** A template of the tests. */
  | { readonly kind: 'attack'; readonly name: string }
  /** Random templates with hostile data. */
  | { readonly kind: 'random'; readonly seed: number; readonly count: number }
  /** Code that allocates without end, as no template can today. */
  | { readonly kind: 'hoard'; readonly name: string };

export interface HostileResults {
  readonly attack: string;
  /** Number of faults. */
  readonly random: number;
  readonly hoard: undefined;
}
