import { requireText } from '../../../server/base/errors.ts';
import type { Kind } from '../../../server/content/kinds/kind.ts';
import { Note, NoteCreate, NoteUpdate } from './model.ts';
import { notes } from './store.ts';

/** A kind that the product does not have. It consists only of its declaration. */
export const noteKind: Kind<Note, typeof NoteCreate, typeof NoteUpdate> = {
  name: 'note',
  path: '/notes',
  noun: 'a note',
  about: 'Notes.',
  schemas: { create: NoteCreate, update: NoteUpdate, answer: Note },
  list: { summary: 'List notes', entry: Note, read: notes.list },
  find: notes.find,
  async create({ tx, now }, body) {
    requireText('title', body.title);
    const note = { pinned: false, tags: null, ...body, created_at: now, updated_at: now };
    return { id: await notes.insert(tx, note), ...note };
  },
  async merge(_change, before, { base_updated_at: _, ...fields }) {
    if (fields.title !== undefined) requireText('title', fields.title);
    return { ...before, ...fields };
  },
  async write({ tx }, after) {
    await notes.update(tx, after);
    return after;
  },
  async remove({ tx }, { id }) {
    await notes.remove(tx, id);
  },
  rights: { code: [] },
  namesOf: ({ title }) => ({ name: title }),
  revisions: { kind: 'note', restore: async (_db, _current, { title, tags }) => ({ title, tags }) },
  tables: ['notes'],
};
