import { Type } from 'typebox';

/** What the process says of one text. Infinite figures cannot occur, since the first measurement is finite. */
export const TextReport = Type.Object({
  seed: Type.Integer(),
  /** Time of the render, milliseconds. */
  ms: Type.Number(),
  /** Growth of the heap, megabytes. */
  mb: Type.Number(),
  /** Characters of the longest text that was accepted. */
  length: Type.Integer(),
  /** Whether the text of full length was refused. */
  refused: Type.Boolean(),
  beginning: Type.String(),
});
export type TextReport = Type.Static<typeof TextReport>;

/** Written before each text. */
export const TextStart = Type.Object({ seed: Type.Integer() });
