import { Type } from 'typebox';

/** What a process says after each batch. */
export const Report = Type.Object({
  seed: Type.Integer(),
  /** Templates looked at, those tried to shorten a fault aside. */
  count: Type.Integer(),
  /** Templates that gave output. */
  rendered: Type.Integer(),
  fault: Type.Optional(Type.String()),
  template: Type.Optional(Type.String()),
});
export type Report = Type.Static<typeof Report>;
