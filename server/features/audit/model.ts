import Type, { type Static } from 'typebox';
import { authEventNames } from '../auth/events/names.ts';
import { changeActions, FedChange } from '../feed/model.ts';

/** Entries of one answer. A commit is never cut, so an answer may have more. */
const limits = { most: 200, usual: 50 } as const;
export const defaultLimit = limits.usual;

const seconds = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const AuditQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The `next` of the answer before; without it the newest changes.',
    }),
  ),
  kind: Type.Optional(Type.String({ maxLength: 40, description: 'Only changes of this kind of object.' })),
  id: Type.Optional(Type.Integer({ description: 'Only changes of the object with this ID.' })),
  actor: Type.Optional(
    Type.String({ maxLength: 300, description: 'Only changes of whom this text is a part of the name.' }),
  ),
  from: seconds('Only changes since then, in Unix seconds.'),
  to: seconds('Only changes until then, in Unix seconds.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.most,
      description: `About how many changes to answer with; default ${limits.usual}.`,
    }),
  ),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditedChange = Type.Object(
  {
    ...Type.Omit(FedChange, ['action', 'event', 'site_id', 'path', 'error', 'change']).properties,
    action: Type.Enum(changeActions, { description: 'What was done.' }),
    until: Type.Optional(
      Type.Integer({
        description:
          'Only of work that is not content yet, such as edits of a change set: when it ended, in Unix seconds. It has one entry for each sitting.',
      }),
    ),
    path: Type.Optional(
      Type.String({ description: 'Path of a page or redirect on its website, as it was after the change.' }),
    ),
  },
  { title: 'AuditedChange', description: 'What was done to one object.' },
);
export type AuditedChange = Static<typeof AuditedChange>;

/** What happened to the access of somebody. */
export const AuditedEvent = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the event.' }),
    event: Type.Enum(authEventNames, { description: 'What happened.' }),
    at: Type.Integer({ description: 'When it happened, in Unix seconds.' }),
    version: Type.Integer({ description: 'Version of the content at that time.' }),
    user: Type.String({
      description: 'Name of the user; of a failed login the name that was tried. Empty if nobody knows.',
    }),
    address: Type.String({ description: 'Address of the client.' }),
    agent: Type.String({ description: 'What the client said of itself (`User-Agent`).' }),
    detail: Type.String({ description: 'What it was about, such as `created token "deploy"`.' }),
  },
  { title: 'AuditedEvent', description: "What happened to somebody's access." },
);
export type AuditedEvent = Static<typeof AuditedEvent>;

export const AuditLog = Type.Object(
  {
    changes: Type.Array(Type.Union([AuditedChange, AuditedEvent]), {
      description:
        'Newest first. Callers with the right `users` see events of sign-in too, which have `event` in place of `action`; the kind `auth` selects them.',
    }),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Send it as `before` for older changes; null when there are none. One answer looks through a part of the log, so it may have few changes or none while there are older ones.',
    }),
  },
  { title: 'AuditLog', description: 'Who changed what.' },
);
export type AuditLog = Static<typeof AuditLog>;
