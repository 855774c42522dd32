import { transportNames } from '../../server/http/exchange/transport.ts';
import { isForThisNode } from '../../server/http/exchange/uws/library.ts';

/** The rows of a table of tests, each with a front as its first cell, without fronts that this Node.js cannot have. */
export function withPossibleFronts<Row extends readonly unknown[]>(rows: readonly Row[]): readonly Row[] {
  return isForThisNode ? rows : rows.filter(([front]) => front !== 'uws');
}

/** The fronts that this Node.js can have. */
export const possibleFronts = transportNames.filter((name) => isForThisNode || name !== 'uws');

/** Values of `-front-threads`; several threads need uWebSockets.js. */
export const possibleThreads = isForThisNode ? ['1', '2'] : ['1'];
