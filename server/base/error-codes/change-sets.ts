import type { ErrorTable } from './entry.ts';

/** Change sets. */
export const changeSetErrors = {
  'changeset.closed': {
    status: 409,
    text: (p: { id: number; state: string }) => `the change set ${p.id} is ${p.state} and cannot be changed`,
  },
  'changeset.noCopy': {
    status: 404,
    text: (p: { kind: string; id: number }) => `the ${p.kind} ${p.id} has no working copy`,
  },
  'changeset.fieldTaken': {
    status: 409,
    text: (p: { field: string; by: string; theirs: unknown; block?: string }) =>
      `${p.by} has changed ${p.field} meanwhile`,
  },
  'changeset.notApproved': {
    status: 409,
    text: (p: { id: number }) => `the change set ${p.id} must be approved first, and not changed since`,
  },
  'changeset.timePast': {
    status: 400,
    text: (p: { publish_at: number }) => `publish_at must be a time in the future, not ${p.publish_at}`,
  },
  'changeset.empty': { status: 409, text: () => 'the change set has no items: there is nothing to publish' },
  'changeset.needed': {
    status: 409,
    text: (p: { by: readonly { kind: string; id: number }[] }) =>
      `other items need it: ${p.by
        .slice(0, 3)
        .map(({ kind, id }) => `${kind} ${id}`)
        .join(', ')}${p.by.length > 3 ? ' and others' : ''}`,
  },
  'changeset.conflict': {
    status: 409,
    text: (p: { count: number; conflicts: readonly object[] }) =>
      `${p.count} ${p.count === 1 ? 'field was' : 'fields were'} changed here and live: choose a value with resolve`,
  },
  'changeset.parentDeleted': {
    status: 409,
    text: (p: { by: { kind: string; id: unknown } }) =>
      `the ${p.by.kind} ${p.by.id} that it belongs to was deleted`,
  },
  'changeset.reverted': {
    status: 409,
    text: (p: { by: number }) => `this was reverted already, by the change set ${p.by}`,
  },
  'changeset.notKept': {
    status: 409,
    text: (p: { max: number }) =>
      `the states before are not kept: they are for 30 days, and for at most ${p.max} objects`,
  },
  'changeset.tooManyItems': {
    status: 413,
    text: (p: { max: number }) => `a change set has at most ${p.max} items`,
  },
  'changeset.tooLarge': {
    status: 413,
    text: (p: { max: number }) => `a change set has at most ${p.max} bytes`,
  },
  'changeset.tooMany': {
    status: 413,
    text: (p: { max: number }) => `there are ${p.max} open change sets: publish or discard some of them`,
  },
} satisfies ErrorTable;
