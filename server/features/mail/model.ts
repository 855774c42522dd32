import Type, { type Static } from 'typebox';

export const mailLimits = {
  recipients: 100,
  replyTo: 10,
  subject: 1000,
  /** Characters of a text; encoding it takes the main thread some milliseconds. */
  body: 1_000_000,
} as const;

const fields = {
  host: Type.String({ maxLength: 253, description: 'Name or address of the SMTP server; empty = no mail.' }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: '465: TLS from the start. Any other: STARTTLS, which is required if there is a user.',
  }),
  user: Type.String({ maxLength: 320, description: 'Name to log in with; empty = no login.' }),
  from: Type.String({
    maxLength: 320,
    description: 'Sender, such as `Shop <shop@example.com>`; empty = the user, if that is an address.',
  }),
};

/** Data, Automation and Operations, "System, security, mail, storage settings". */
export const MailSettings = Type.Object(
  {
    ...fields,
    has_password: Type.Boolean({ description: 'Whether a password is stored. It is never shown.' }),
  },
  { title: 'MailSettings', description: 'How the server sends mail.' },
);
export type MailSettings = Static<typeof MailSettings>;

export const MailUpdate = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    password: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'Password of the user, stored encrypted. Without it the stored one stays, unless host or port change; empty = none.',
      }),
    ),
  },
  {
    title: 'MailUpdate',
    description: 'The settings that change.',
    examples: [{ host: 'smtp.example.com', port: 587, user: 'shop', from: 'Shop <shop@example.com>' }],
  },
);
export type MailUpdate = Static<typeof MailUpdate>;

export const MailTest = Type.Object(
  {
    to: Type.String({ description: 'Where the test is sent to: addresses, separated by commas.' }),
  },
  { title: 'MailTest', description: 'A mail for a test.', examples: [{ to: 'ada@example.com' }] },
);

/** The settings as they are stored, with the password encrypted (empty = none). */
export const StoredMail = Type.Object({ ...fields, password: Type.String() });
export type StoredMail = Static<typeof StoredMail>;

export const noMail: StoredMail = { host: '', port: 587, user: '', from: '', password: '' };
