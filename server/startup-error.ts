/**
 * A reason not to start that the operator can act on. `main.ts` prints the message as one line and ends with exit
 * code 1; no stack trace, because nothing is broken in the program.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
