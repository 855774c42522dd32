import Type, { type Static } from 'typebox';
import { PasskeyAnswer, secondStepFields } from '../factors/model.ts';
import { Credentials } from '../model.ts';

export const Login = Type.Object(
  { ...Credentials.properties, ...secondStepFields },
  {
    title: 'Login',
    description: 'Name and password of a user, with a code if a factor is set up.',
    examples: [{ username: 'ada', password: 'correct horse battery', code: '492039' }],
  },
);
export type Login = Static<typeof Login>;

export const Confirmation = Type.Object(
  {
    password: Type.Optional(Type.String({ description: 'Enough if no factor is set up.' })),
    code: secondStepFields.code,
    passkey: Type.Optional(PasskeyAnswer),
  },
  {
    title: 'Confirmation',
    description: 'Who it is: the password, a code or a passkey. All that is sent must be right.',
    examples: [{ password: 'correct horse battery' }, { code: '492039' }],
  },
);
export type Confirmation = Static<typeof Confirmation>;

export const ConfirmationState = Type.Object(
  { confirmed_until: Type.Integer({ description: 'Unix seconds; 0 after it was ended.' }) },
  { title: 'ConfirmationState', description: 'The confirmation of a session.' },
);
