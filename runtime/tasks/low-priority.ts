import { getPriority, setPriority } from 'node:os';

/** The priority that the server was started with. A process or thread inherits it. */
const inherited = getPriority();
const lowest = 19;

/**
 * Lets renders for visitors go first, also where the server itself has a low priority.
 *
 * @param pid another process that has the priority of this one; default: the one that calls, on Linux its thread
 */
export function lowerPriority(pid = 0): void {
  setPriority(pid, Math.min(inherited + 10, lowest));
}
