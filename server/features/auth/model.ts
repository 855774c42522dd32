import Type, { type Static } from 'typebox';
import type { Grants } from '../../base/rights.ts';
import { fieldLimits, serverFields } from '../../content/common-fields.ts';
import { Grant, Role, RoleIds } from '../roles/model.ts';
import { FactorKind } from './factor-kind.ts';

const { id, created_at } = serverFields;

const personFields = {
  email: Type.String({ description: 'E-mail address, for invitations; empty if there is none.' }),
  name: Type.String({ description: 'Name of the person; may be empty.' }),
  must_change_password: Type.Boolean({
    description: 'Whether the user must choose another password before anything else.',
  }),
};

/** A person who can sign in. */
export const User = Type.Object(
  {
    id,
    username: Type.String({ description: 'Unique without regard to case.' }),
    created_at,
    last_login_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Last login in Unix seconds; null before the first.',
    }),
    role_ids: RoleIds,
    ...personFields,
    factors: Type.Optional(
      Type.Array(FactorKind, {
        description: 'Kinds of the second factors, if there are any; only in answers of `/users`.',
      }),
    ),
  },
  {
    title: 'User',
    description: 'A person who can sign in.',
    examples: [
      {
        ...{ id: 1, username: 'ada', created_at: 1767225600, last_login_at: null, role_ids: [1] },
        ...{ email: 'ada@example.com', name: 'Ada Lovelace', must_change_password: false },
      },
    ],
  },
);
export type User = Static<typeof User>;

export const AuthStatus = Type.Object(
  {
    setup_required: Type.Boolean({ description: 'True if there is no administrator yet.' }),
    authenticated: Type.Boolean({ description: 'Whether the request had a valid credential.' }),
    user: Type.Union([User, Type.Null()], {
      description: 'The user of the session; null for all other callers.',
    }),
    headless: Type.Boolean({ description: 'Whether the admin and all sessions are switched off.' }),
    version: Type.String({ description: 'Version of the program; empty if it is hidden.' }),
    oidc: Type.Optional(
      Type.Literal(true, { description: 'Only there if users can sign in with OpenID Connect.' }),
    ),
    remote: Type.Optional(
      Type.Object(
        {
          id: Type.Integer({ description: 'ID of the connection.' }),
          name: Type.String({ description: 'Name of the connection.' }),
          url: Type.String({ description: 'Address of the other instance.' }),
        },
        { description: 'The instance that requests are forwarded to; only in remote mode.' },
      ),
    ),
  },
  { title: 'AuthStatus', description: 'Who is calling, and the state of the instance.' },
);
export type AuthStatus = Static<typeof AuthStatus>;

/** Answer of setup and login. */
export const SignedIn = Type.Object(
  { user: User },
  { title: 'SignedIn', description: 'The user of the new session, whose cookie comes with the answer.' },
);

const username = Type.String({ description: 'Name of the administrator.' });
const password = Type.String({
  description:
    '12 to 1,024 characters that are hard to guess and hold no name of the user or a website. Passwords from before these rules stay valid.',
});

export const Credentials = Type.Object(
  { username, password },
  {
    title: 'Credentials',
    description: 'Name and password of an administrator.',
    examples: [{ username: 'ada', password: 'correct horse battery staple' }],
  },
);
export type Credentials = Static<typeof Credentials>;

export const UserCreate = Type.Object(
  {
    username,
    password: Type.Optional(password),
    role_ids: Type.Optional(RoleIds),
    ...Type.Partial(Type.Object(personFields)).properties,
  },
  {
    title: 'UserCreate',
    description:
      'A new user. With `username` and `password` alone it is an administrator; with any other field it has the roles of `role_ids`, which are none by default. With an `email` the password may be missing: an invitation sets it.',
    examples: [{ username: 'ada', password: 'correct horse battery' }],
  },
);
export type UserCreate = Static<typeof UserCreate>;

export const UserUpdate = Type.Object(
  {
    username: Type.Optional(username),
    role_ids: Type.Optional(RoleIds),
    ...Type.Partial(Type.Object(personFields)).properties,
  },
  { title: 'UserUpdate', description: 'Fields of a user to change.' },
);
export type UserUpdate = Static<typeof UserUpdate>;

/** What goes with a user. */
export const UserDeletion = Type.Object(
  {
    tokens: Type.Array(
      Type.Object({
        id,
        name: Type.String({ description: 'Name of the token.' }),
        prefix: Type.String({ description: 'The first 10 characters of the token.' }),
      }),
      { description: 'Tokens that end with the user.' },
    ),
  },
  { title: 'UserDeletion', description: 'What the deletion of a user would end.' },
);
export type UserDeletion = Static<typeof UserDeletion>;

/** Answer to GET `/auth/me`. */
export const Me = Type.Object(
  {
    user: Type.Union([User, Type.Null()], { description: 'The user of the session; null for tokens.' }),
    roles: Type.Array(Role, { description: 'Roles of the caller.' }),
    grants: Type.Array(Grant, { description: 'What the caller may do.' }),
    live_saves: Type.Optional(
      Type.Boolean({
        description: 'Whether editors of the admin save live instead of into working copies; only for users.',
      }),
    ),
  },
  { title: 'Me', description: 'Who is calling, and what they may do.' },
);
/** The grants are those of the caller, which nobody changes. */
export interface Me {
  readonly user: User | null;
  readonly roles: readonly Role[];
  readonly grants: Grants;
  readonly live_saves?: boolean;
}

export const Setup = Type.Object(
  {
    ...Credentials.properties,
    setup_token: Type.Optional(
      Type.String({
        description: 'Printed by the server at its start; needed from addresses that are not local.',
      }),
    ),
  },
  {
    title: 'Setup',
    description: 'The first administrator.',
    examples: [{ username: 'ada', password: 'correct horse battery staple' }],
  },
);
export type Setup = Static<typeof Setup>;

export const PasswordChange = Type.Object(
  {
    current_password: Type.String({ description: 'The password until now.' }),
    new_password: password,
  },
  { title: 'PasswordChange', description: "A new password for one's own account." },
);
export type PasswordChange = Static<typeof PasswordChange>;

export const NewPassword = Type.Object(
  { password },
  { title: 'NewPassword', description: 'A new password for an account.' },
);

/** Core, "API token". */
export const Token = Type.Object(
  {
    id,
    name: Type.String({ description: 'Name for people; the author in the version history.' }),
    prefix: Type.String({ description: 'The first 10 characters of the token.' }),
    can_write: Type.Boolean({ description: 'False for a token that may only read.' }),
    created_at,
    last_used_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Last use in Unix seconds; null before the first.',
    }),
    role_ids: Type.Union([RoleIds, Type.Null()], {
      description: 'IDs of its roles; null for a token that reads or writes everything.',
    }),
    expires_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When the token ends, in Unix seconds; null for never.',
    }),
    owner_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'ID of the user who made it. It never has more rights than they have, and ends with them.',
    }),
  },
  {
    title: 'Token',
    description: 'An API token without its secret.',
    examples: [
      {
        id: 2,
        name: 'deploy',
        prefix: 'ic_4fQ0pZk',
        can_write: true,
        created_at: 1767225600,
        last_used_at: null,
        role_ids: null,
        expires_at: null,
        owner_id: 1,
      },
    ],
  },
);
export type Token = Static<typeof Token>;

export const TokenCreate = Type.Object(
  {
    name: Type.String({ maxLength: fieldLimits.name, description: 'Name for people.' }),
    can_write: Type.Optional(Type.Boolean({ description: 'Default false: the token may only read.' })),
    role_ids: Type.Optional(
      Type.Union([RoleIds, Type.Null()], {
        description: 'Roles of the token, in place of `can_write`.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'When the token ends, in Unix seconds. Default: never.',
      }),
    ),
  },
  { title: 'TokenCreate', description: 'A new token.', examples: [{ name: 'deploy', can_write: true }] },
);
export type TokenCreate = Static<typeof TokenCreate>;

/** The only answer that holds the token itself. */
export const TokenCreated = Type.Object(
  { token: Token, secret: Type.String({ description: 'The whole token. It is never shown again.' }) },
  { title: 'TokenCreated', description: 'A new token with its secret.' },
);
export type TokenCreated = Static<typeof TokenCreated>;
