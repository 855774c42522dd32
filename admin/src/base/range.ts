/** Places in a list, the last one included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}
