import Type, { type Static } from 'typebox';

const kind = Type.String({
  maxLength: 40,
  description: 'Kind of the object, as in a batch.',
});
const id = Type.Integer({ minimum: 1, description: 'ID of the object.' });
const state = Type.Enum(['viewing', 'editing'], { description: 'What is done with the object.' });

export const PresenceReport = Type.Object(
  { kind, id, state },
  {
    title: 'PresenceReport',
    description: 'Tells that the caller has an object open. Valid for 60 s; send it every 20 s.',
    examples: [{ kind: 'page', id: 5, state: 'editing' }],
  },
);
export type PresenceReport = Static<typeof PresenceReport>;

export const PresenceQuery = Type.Object({
  kind: Type.Optional(kind),
  id: Type.Optional(id),
});
export type PresenceQuery = Static<typeof PresenceQuery>;

export const Presence = Type.Object(
  {
    kind,
    id,
    name: Type.String({ description: 'User or token, as in the version history.' }),
    state,
    at: Type.Integer({ description: 'Last report, in Unix seconds.' }),
  },
  {
    title: 'Presence',
    description: 'Who has an object open.',
    examples: [{ kind: 'page', id: 5, name: 'ada', state: 'editing', at: 1767225600 }],
  },
);
export type Presence = Static<typeof Presence>;

/** What event streams report: a new state, or that somebody has left. */
export type PresenceEvent = Omit<Presence, 'state'> & { readonly state: Presence['state'] | 'left' };
