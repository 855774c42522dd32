import type { ErrorTable } from './entry.ts';

interface NamedObject {
  readonly kind: string;
  readonly id: number;
  readonly title: string;
}

/** Deleted objects that come back. */
export const trashErrors = {
  'trash.nameTaken': {
    status: 409,
    text: (p: { holder: NamedObject; name: string; what: string }) =>
      `the ${p.what} "${p.name}" is taken by ${p.holder.kind} "${p.holder.title}"`,
  },
  'trash.parentDeleted': {
    status: 409,
    text: (p: NamedObject & { trash_id: number | null }) =>
      p.trash_id === null
        ? `it was in ${p.kind} ${p.id}, which is deleted for good`
        : `it was in ${p.kind} "${p.title}", which is in the trash`,
  },
} satisfies ErrorTable;
