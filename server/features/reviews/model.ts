import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../content/common-fields.ts';

const note = Type.String({ maxLength: fieldLimits.text, description: 'What there is to say about it.' });
const reviewState = Type.Enum(['requested', 'approved', 'changes'], {
  description: '`requested`: please look; `approved`: may be published; `changes`: not yet, see the note.',
});

export const ReviewRequest = Type.Object(
  { state: reviewState, note: Type.Optional(note) },
  {
    title: 'ReviewRequest',
    description: 'What somebody says about a change set.',
    examples: [{ state: 'approved', note: 'Looks good.' }],
  },
);
export type ReviewRequest = Static<typeof ReviewRequest>;

export const Review = Type.Object(
  {
    state: reviewState,
    note,
    by: Type.String({ description: 'Who has said it, as in the version history.' }),
    at: Type.Integer({ description: 'When, in Unix seconds.' }),
    hash: Type.String({ description: 'Hash of what the change set did then.' }),
    holds: Type.Boolean({
      description: 'False if the change set was changed since; an approval does not count any more then.',
    }),
  },
  { title: 'Review', description: 'What was said about a change set last.' },
);
export type Review = Static<typeof Review>;

const text = Type.String({ minLength: 1, maxLength: fieldLimits.text, description: 'What there is to say.' });
const resolved = Type.Boolean({ description: 'Whether nothing is left to do about it.' });
/** Where in an object; null for all of it. */
const place = (maxLength: number, description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength }), Type.Null()], { description });

const anchor = {
  field: place(fieldLimits.name, 'Name of the field, as in the items of a change set.'),
  block: place(fieldLimits.name, 'ID of the block.'),
  quote: place(fieldLimits.text, 'The words that it is about.'),
} as const;
const object = {
  kind: Type.String({ maxLength: 40, description: 'Kind of the object, such as `page`.' }),
  id: Type.Integer({ minimum: 1, description: 'ID of the object.' }),
} as const;

export const CommentCreate = Type.Object(
  { text, ...object, ...Type.Partial(Type.Object(anchor)).properties, resolved: Type.Optional(resolved) },
  {
    title: 'CommentCreate',
    description: 'A new comment about an object of a change set, or about a part of it.',
    examples: [{ text: 'Closed on Mondays?', kind: 'page', id: 5, field: 'html', quote: 'every day' }],
  },
);
export type CommentCreate = Static<typeof CommentCreate>;

export const CommentUpdate = Type.Partial(Type.Omit(CommentCreate, ['kind', 'id']), {
  title: 'CommentUpdate',
  description: 'The fields of a comment that change.',
});
export type CommentUpdate = Static<typeof CommentUpdate>;

export const Comment = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the comment.' }),
    kind: object.kind,
    object_id: object.id,
    ...anchor,
    place: Type.Enum(['quote', 'block', 'field', 'object', 'gone'], {
      description: 'The narrowest part of what the comment is about that the object still has.',
    }),
    text,
    resolved,
    author: Type.String({ description: 'Who wrote it, as in the version history.' }),
    created_at: Type.Integer({ description: 'When it was written, in Unix seconds.' }),
    updated_at: Type.Integer({ description: 'When it was changed last, in Unix seconds.' }),
  },
  { title: 'Comment', description: 'What somebody has said about an object of a change set.' },
);
export type Comment = Static<typeof Comment>;

export const CommentParams = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'ID of the change set.' }),
  commentId: Type.Integer({ minimum: 1, description: 'ID of the comment.' }),
});
