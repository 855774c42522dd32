import Type, { type Static } from 'typebox';

export const ListedSession = Type.Object(
  {
    id: Type.String({ description: 'Names the session; it opens nothing.' }),
    created_at: Type.Integer({ description: 'When it was opened, in Unix seconds.' }),
    last_used_at: Type.Integer({ description: 'Its last request, in Unix seconds.' }),
    address: Type.String({ description: 'Address of the client that opened it; empty if not known.' }),
    agent: Type.String({ description: 'What the browser said of itself; empty if not known.' }),
    current: Type.Boolean({ description: 'Whether the request was sent in it.' }),
  },
  { title: 'Session', description: 'One login of a user.' },
);
export type ListedSession = Static<typeof ListedSession>;

export const SessionsQuery = Type.Object({
  user_id: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Whose sessions; default those of the caller.' }),
  ),
});

export const SessionParams = Type.Object({ id: Type.String({ description: 'ID of the session.' }) });
