/** More than one commit takes, so nothing is copied. */
export class TooManyCopies extends Error {
  readonly count: number;

  constructor(count: number) {
    super(`${count} operations are more than a batch takes`);
    this.count = count;
  }
}
