import Type from 'typebox';
import { defineNode, sendOne } from './node-type.ts';
import { hints, shortText } from './settings.ts';

const actions = ['created', 'updated', 'deleted'] as const;

/** Starts when an entry of a collection is created, changed or deleted. */
export const eventNode = defineNode({
  config: Type.Object({
    collection: shortText(200, hints('collection')),
    created: Type.Optional(Type.Boolean()),
    updated: Type.Optional(Type.Boolean()),
    deleted: Type.Optional(Type.Boolean()),
  }),
  isStart: () => true,
  outputs: () => 1,
  faults: ({ collection }) =>
    collection.trim() === '' ? [{ field: 'collection', reason: 'must not be empty' }] : [],
  trigger: ({ collection, ...wanted }) => ({
    kind: 'event',
    collection,
    actions: actions.filter((action) => wanted[action] === true),
  }),
  build:
    ({ collection }) =>
    (message) =>
      sendOne('collection' in message.fields ? message : message.with({ collection })),
});
