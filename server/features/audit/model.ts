import Type, { type Static } from 'typebox';
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

export const AuditLog = Type.Object(
  {
    changes: Type.Array(AuditedChange, { description: 'Newest first.' }),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Send it as `before` for older changes; null when there are none. One answer looks through a part of the log, so it may have few changes or none while there are older ones.',
    }),
  },
  { title: 'AuditLog', description: 'Who changed what.' },
);
export type AuditLog = Static<typeof AuditLog>;
