import Type, { type Static } from 'typebox';

/** Data, Automation and Operations, "System, security, mail, storage settings". */
export const System = Type.Object(
  {
    admin_enabled: Type.Boolean({
      description: 'False while a start option or the stored setting keeps the admin off.',
    }),
    headless: Type.Boolean({ description: 'Whether the admin and all sessions are switched off.' }),
    forced: Type.Boolean({
      description: 'Whether a start option keeps the admin off. It can then not be switched on here.',
    }),
    write_tokens: Type.Integer({ description: 'Number of tokens that can write.' }),
    master_token: Type.Boolean({ description: 'Whether `IC_MASTER_TOKEN` is set.' }),
    version: Type.String({ description: 'Version of the program.' }),
  },
  {
    title: 'System',
    description: 'How the instance is operated.',
    examples: [
      {
        admin_enabled: true,
        headless: false,
        forced: false,
        write_tokens: 1,
        master_token: false,
        version: '0.1.0',
      },
    ],
  },
);
export type System = Static<typeof System>;

export const SystemUpdate = Type.Object(
  {
    admin_enabled: Type.Optional(Type.Boolean({ description: 'Switches the admin on or off.' })),
    headless: Type.Optional(Type.Boolean({ description: 'Switches headless operation on or off.' })),
  },
  { title: 'SystemUpdate', description: 'The settings that change.', examples: [{ headless: true }] },
);
export type SystemUpdate = Static<typeof SystemUpdate>;
