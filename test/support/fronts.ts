import { transportNames } from '../../server/http/exchange/transport.ts';

/** uWebSockets.js has no binary for later versions of Node.js (`server/docs/decisions.md`). */
const hasUws = Number.parseInt(process.versions.node, 10) <= 22;

/** The rows of a table of tests, each with a front as its first cell, without fronts that this Node.js cannot have. */
export function withPossibleFronts<Row extends readonly unknown[]>(rows: readonly Row[]): readonly Row[] {
  return hasUws ? rows : rows.filter(([front]) => front !== 'uws');
}

/** The fronts that this Node.js can have. */
export const possibleFronts = transportNames.filter((name) => hasUws || name !== 'uws');
