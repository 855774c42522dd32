import Type, { type Static } from 'typebox';

/** As many as a collection can hold; more would say nothing. */
const maxPublicEntries = 1_000_000_000;

const publicMaxEntries = Type.Integer({
  minimum: 0,
  maximum: maxPublicEntries,
  description:
    'Most entries of one list of a public collection for callers without a credential; 0 = no limit. A longer list is refused with 400, never shortened.',
});

const trashDays = Type.Integer({
  minimum: 0,
  maximum: 365,
  description: 'How many days deleted objects stay in the trash; 0 = there is no trash for them.',
});

const trashMaxMb = Type.Integer({
  minimum: 0,
  maximum: 2 ** 30,
  description: 'How large the trash may be, in MB. When it is full, the oldest objects go.',
});

const publicUrl = Type.String({
  maxLength: 300,
  description:
    'Where people reach this instance, such as `https://cms.example.org`. Invitations, single sign-on and passkeys use it; empty = the address of the request, if it is a domain of a website or loopback.',
});

const idleMinutes = Type.Integer({
  minimum: 0,
  maximum: 20_160,
  description: 'A session ends when it was not used for so many minutes; 0 = it lasts until its end.',
});

const liveSaves = Type.Boolean({
  description: 'Whether the editors of the admin save live, instead of into working copies.',
});

const reviewRequired = Type.Boolean({
  description: 'Whether only approved change sets can be published or scheduled.',
});

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
    public_max_entries: publicMaxEntries,
    trash_days: trashDays,
    trash_max_mb: trashMaxMb,
    public_url: publicUrl,
    idle_minutes: idleMinutes,
    live_saves: liveSaves,
    review_required: reviewRequired,
    options: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name on the command line, without a dash.' }),
        value: Type.String({ description: 'What it is now; a flag is `on` or `off`.' }),
        default: Type.String({ description: 'What it is without being set.' }),
        help: Type.String({ description: 'What it does.' }),
      }),
      { description: 'The start options of this process. Secrets are none of them.' },
    ),
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
        version: '1.4.2',
        public_max_entries: 0,
        trash_days: 30,
        trash_max_mb: 2048,
        public_url: 'https://cms.example.org',
        idle_minutes: 0,
        live_saves: false,
        review_required: false,
        options: [
          { name: 'cache-mb', value: '128', default: '128', help: 'size of the page cache in MB, 0 = off' },
        ],
      },
    ],
  },
);
export type System = Static<typeof System>;

export const SystemUpdate = Type.Object(
  {
    admin_enabled: Type.Optional(Type.Boolean({ description: 'Switches the admin on or off.' })),
    headless: Type.Optional(Type.Boolean({ description: 'Switches headless operation on or off.' })),
    public_max_entries: Type.Optional(publicMaxEntries),
    trash_days: Type.Optional(trashDays),
    trash_max_mb: Type.Optional(trashMaxMb),
    public_url: Type.Optional(publicUrl),
    idle_minutes: Type.Optional(idleMinutes),
    live_saves: Type.Optional(liveSaves),
    review_required: Type.Optional(reviewRequired),
  },
  { title: 'SystemUpdate', description: 'The settings that change.', examples: [{ headless: true }] },
);
export type SystemUpdate = Static<typeof SystemUpdate>;
