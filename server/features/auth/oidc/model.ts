import Type, { type Static } from 'typebox';

const fields = {
  issuer: Type.String({
    maxLength: 2000,
    description:
      'Address of the provider, as in its `iss`; empty = no single sign-on. `http:` only on loopback.',
  }),
  client_id: Type.String({ maxLength: 1000, description: 'ID of this instance at the provider.' }),
  groups_claim: Type.String({
    maxLength: 200,
    description: 'Claim with the groups of a user; empty: the provider says nothing about roles.',
  }),
  create_users: Type.Boolean({
    description: 'Whether people with a verified e-mail address become users when they sign in first.',
  }),
};

const roleIds = Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 100 });

/** GET /system/oidc */
export const OidcSettings = Type.Object(
  {
    ...fields,
    groups: Type.Record(Type.String(), roleIds, {
      description:
        'IDs of roles by group. At each login a user gets the roles of their groups, and no others.',
    }),
    secret_set: Type.Boolean({ description: 'Whether a client secret is stored. It is never shown.' }),
  },
  { title: 'OidcSettings', description: 'The provider of OpenID Connect with which users sign in.' },
);
export type OidcSettings = Static<typeof OidcSettings>;

export const OidcUpdate = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    groups: Type.Optional(
      Type.Record(Type.String(), Type.Union([roleIds, Type.Integer({ minimum: 1 })]), {
        description: 'IDs of roles by group; one ID means a list with it.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Stored encrypted. Without it the stored one stays, unless the issuer moves; empty = none.',
      }),
    ),
  },
  {
    title: 'OidcUpdate',
    description: 'The settings that change.',
    examples: [
      { issuer: 'https://id.example.com', client_id: 'cms', groups_claim: 'groups', groups: { web: [3] } },
    ],
  },
);
export type OidcUpdate = Static<typeof OidcUpdate>;

/** The settings as they are stored, with the secret encrypted (empty = none). */
export const StoredOidc = Type.Object({
  ...fields,
  groups: Type.Record(Type.String(), roleIds),
  client_secret: Type.String(),
});
export type StoredOidc = Static<typeof StoredOidc>;

export const noOidc: StoredOidc = {
  ...{ issuer: '', client_id: '', groups_claim: '', create_users: false, groups: {}, client_secret: '' },
};

/** Answer to GET `/auth/oidc/start`. */
export const OidcStart = Type.Object(
  { url: Type.String({ description: 'Where the provider asks who it is; `Location` has it too.' }) },
  { title: 'OidcStart', description: 'The way to the provider.' },
);

export const OidcCallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ description: 'Code of the provider.' })),
  state: Type.Optional(Type.String({ description: 'As it was sent to the provider.' })),
  iss: Type.Optional(Type.String({ description: 'The provider.' })),
  error: Type.Optional(Type.String({ description: 'Why the provider lets nobody in.' })),
  error_description: Type.Optional(Type.String({ description: 'The same for people.' })),
  session_state: Type.Optional(Type.String({ description: 'Not used.' })),
  scope: Type.Optional(Type.String({ description: 'Not used.' })),
});
