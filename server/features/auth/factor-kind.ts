import Type, { type Static } from 'typebox';

export const FactorKind = Type.Enum(['totp', 'passkey'], {
  description: '`totp`: codes of an app; `passkey`: a WebAuthn key.',
});
export type FactorKind = Static<typeof FactorKind>;
