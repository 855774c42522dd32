import Type, { type Static } from 'typebox';
import { serverFields } from '../../../content/common-fields.ts';
import { FactorKind } from '../factor-kind.ts';

const { id, created_at } = serverFields;

const maxName = 100;
const name = Type.String({ maxLength: maxName, description: 'Name for people.' });
/** Texts that a browser makes; the largest hold a certificate of an authenticator. */
const encoded = (description: string) => Type.String({ maxLength: 20_000, description });

export const Factor = Type.Object(
  {
    id,
    kind: FactorKind,
    name: Type.String({ description: 'Name for people.' }),
    created_at,
    last_used_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Last use in Unix seconds; null before the first.',
    }),
  },
  { title: 'Factor', description: 'A second factor of a user.' },
);
export type Factor = Static<typeof Factor>;

export const TotpCreate = Type.Object(
  { name: Type.Optional(name) },
  { title: 'TotpCreate', description: 'A secret for an app that makes codes.' },
);
export type TotpCreate = Static<typeof TotpCreate>;

export const TotpSetup = Type.Object(
  {
    secret: Type.String({ description: 'The secret in Base32, for apps that read no picture.' }),
    uri: Type.String({ description: 'The secret as `otpauth://` address.' }),
    qr: Type.String({ description: 'The address as picture, a `data:` URL.' }),
  },
  { title: 'TotpSetup', description: 'A secret that counts when a code of it was sent.' },
);
export type TotpSetup = Static<typeof TotpSetup>;

const code = Type.String({ maxLength: maxName, description: 'A code of the app; it works once.' });

export const TotpCode = Type.Object(
  { code },
  { title: 'TotpCode', description: 'A code of the new secret.' },
);

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description:
        'Each works once, in place of a factor. They are never shown again; older ones have ended.',
    }),
  },
  { title: 'RecoveryCodes', description: 'New recovery codes.' },
);

export const RecoveryState = Type.Object(
  { remaining: Type.Integer({ description: 'How many recovery codes have not been used.' }) },
  { title: 'RecoveryState', description: 'What is left of the recovery codes.' },
);

/** Options as the browser takes them; their form is that of WebAuthn. */
export const PasskeyOptions = Type.Object(
  { challenge: Type.String({ description: 'What the key signs; for five minutes.' }) },
  {
    title: 'PasskeyOptions',
    description: 'Options of WebAuthn as JSON, for `navigator.credentials`.',
    additionalProperties: true,
  },
);

const transports = Type.Optional(
  Type.Array(Type.String({ maxLength: maxName }), { maxItems: 20, description: 'Ways to reach the key.' }),
);
const clientDataJSON = encoded('What the browser has told the key, in base64url.');
const responseDescription = 'The answer of the key.';

/** The answer of a browser to options, as far as the server reads it. */
const credential = {
  id: encoded('ID of the key, in base64url.'),
  rawId: encoded('The same ID.'),
  type: Type.Literal('public-key', { description: 'Always `public-key`.' }),
  clientExtensionResults: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Of extensions; they are not read.' }),
  ),
  authenticatorAttachment: Type.Optional(
    Type.Union([Type.String({ maxLength: maxName }), Type.Null()], { description: 'Where the key is.' }),
  ),
};

export const PasskeyRegistration = Type.Object(
  {
    ...credential,
    name: Type.Optional(name),
    response: Type.Object(
      {
        clientDataJSON,
        attestationObject: Type.String({ maxLength: 100_000, description: 'The new key, in base64url.' }),
        transports,
      },
      { additionalProperties: true, description: responseDescription },
    ),
  },
  { title: 'PasskeyRegistration', description: 'The new key as JSON of WebAuthn, with a name for people.' },
);
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

export const PasskeyAnswer = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON,
        authenticatorData: encoded('What the key tells of itself, in base64url.'),
        signature: encoded('Signature of both, in base64url.'),
        userHandle: Type.Optional(
          Type.Union([encoded('ID.'), Type.Null()], { description: 'Whom the key belongs to.' }),
        ),
      },
      { additionalProperties: true, description: responseDescription },
    ),
  },
  { title: 'PasskeyAnswer', description: 'What a key has signed, as JSON of WebAuthn.' },
);
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** What takes the place of a factor in a login. */
export const secondStepFields = {
  code: Type.Optional(code),
  recovery_code: Type.Optional(
    Type.String({ maxLength: maxName, description: 'A recovery code in place of a factor; it works once.' }),
  ),
};
