import { Type } from 'typebox';

/** The report of a process after each batch. */
export const Report = Type.Object({
  seed: Type.Integer(),
  /** Templates checked, without those that were tried to shorten a fault. */
  count: Type.Integer(),
  /** Templates that gave output. */
  rendered: Type.Integer(),
  fault: Type.Optional(Type.String()),
  template: Type.Optional(Type.String()),
});
export type Report = Type.Static<typeof Report>;
