import Type, { type Static } from 'typebox';

/** Answer to POST `/users/{id}/invitation`. */
export const InvitationLink = Type.Object(
  {
    url: Type.String({ description: 'Address at which the user chooses a password. It works once.' }),
    expires_at: Type.Integer({ description: 'When it ends, in Unix seconds.' }),
    sent: Type.Boolean({ description: 'Whether it was sent to the e-mail address of the user.' }),
  },
  { title: 'InvitationLink', description: 'An invitation, with the address that is never shown again.' },
);
export type InvitationLink = Static<typeof InvitationLink>;

export const InvitationQuery = Type.Object({
  token: Type.String({ description: 'The `token` of the address.' }),
});

/** Answer to GET `/auth/invitation`. */
export const Invitation = Type.Object(
  {
    username: Type.String({ description: 'Name with which the user will sign in.' }),
    name: Type.String({ description: 'Name of the user.' }),
    email: Type.String({ description: 'E-mail address of the user.' }),
    expires_at: Type.Integer({ description: 'When the invitation ends, in Unix seconds.' }),
  },
  { title: 'Invitation', description: 'Who is invited.' },
);
export type Invitation = Static<typeof Invitation>;

export const InvitationAcceptance = Type.Object(
  {
    token: Type.String({ description: 'The `token` of the address.' }),
    password: Type.String({ description: 'The password that the user chooses.' }),
  },
  { title: 'InvitationAcceptance', description: 'An invitation with the chosen password.' },
);
export type InvitationAcceptance = Static<typeof InvitationAcceptance>;
