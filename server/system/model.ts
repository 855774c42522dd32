import Type, { type Static } from 'typebox';

/** Data, Automation and Operations, "System, security, mail, storage settings". */
export const System = Type.Object({
  /** False while a start option or the stored setting keeps the admin off. */
  admin_enabled: Type.Boolean(),
  headless: Type.Boolean(),
  /** Whether a start option keeps the admin off. The admin can then not be switched on here. */
  forced: Type.Boolean(),
  /** Number of tokens that can write. */
  write_tokens: Type.Integer(),
  /** Whether `IC_MASTER_TOKEN` is set. */
  master_token: Type.Boolean(),
  version: Type.String(),
});
export type System = Static<typeof System>;

export const SystemUpdate = Type.Object({
  admin_enabled: Type.Optional(Type.Boolean()),
  headless: Type.Optional(Type.Boolean()),
});
export type SystemUpdate = Static<typeof SystemUpdate>;
