/**
 * An error that prevents the start and that the operator can fix. `main.ts` prints the message as one line
 * and exits with code 1. There is no stack trace, because the program has no defect.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Compares the name, because the bundle contains its own copy of the class. */
export function isStartupError(error: unknown): error is StartupError {
  return error instanceof Error && error.name === 'StartupError';
}
