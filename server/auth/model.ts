import Type, { type Static } from 'typebox';
import { fieldLimits } from '../model.ts';

/** An administrator. */
export const User = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  created_at: Type.Integer(),
  last_login_at: Type.Union([Type.Integer(), Type.Null()]),
});
export type User = Static<typeof User>;

export const AuthStatus = Type.Object({
  /** True if there is no administrator yet. */
  setup_required: Type.Boolean(),
  authenticated: Type.Boolean(),
  /** The user of the session; null for all other callers. */
  user: Type.Union([User, Type.Null()]),
  headless: Type.Boolean(),
  version: Type.String(),
});
export type AuthStatus = Static<typeof AuthStatus>;

/** Answer of setup and login. */
export const SignedIn = Type.Object({ user: User });

export const Credentials = Type.Object({ username: Type.String(), password: Type.String() });
export type Credentials = Static<typeof Credentials>;

export const Setup = Type.Object({
  ...Credentials.properties,
  setup_token: Type.Optional(Type.String()),
});
export type Setup = Static<typeof Setup>;

export const PasswordChange = Type.Object({
  current_password: Type.String(),
  new_password: Type.String(),
});
export type PasswordChange = Static<typeof PasswordChange>;

export const NewPassword = Type.Object({ password: Type.String() });

/** Core, "API token". */
export const Token = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** The first 10 characters of the token. */
  prefix: Type.String(),
  can_write: Type.Boolean(),
  created_at: Type.Integer(),
  last_used_at: Type.Union([Type.Integer(), Type.Null()]),
});
export type Token = Static<typeof Token>;

export const TokenCreate = Type.Object({
  name: Type.String({ maxLength: fieldLimits.name }),
  can_write: Type.Optional(Type.Boolean()),
});
export type TokenCreate = Static<typeof TokenCreate>;

/** The only answer that holds the token itself. */
export const TokenCreated = Type.Object({ token: Token, secret: Type.String() });
export type TokenCreated = Static<typeof TokenCreated>;
