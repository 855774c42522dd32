import Type from 'typebox';
import type { EntryFields } from '../../collections/entries.ts';
import type { Fields, Message } from '../message/message.ts';
import { formatValue, template } from '../message/placeholders.ts';
import { defineNode, sendOne } from './node-type.ts';
import { hints, shortText } from './settings.ts';

const defaultId = '{{ msg.payload.id }}';

/** Reads and changes entries of a collection, by the same rules as the API. */
export const collectionNode = defineNode({
  config: Type.Object({
    action: Type.Optional(Type.Enum(['list', 'get', 'create', 'update', 'delete'])),
    collection: shortText(200, hints('collection')),
    id: Type.Optional(shortText(1000, hints(undefined, { action: ['get', 'update', 'delete'] }))),
    onlyPublished: Type.Optional(Type.Boolean(hints(undefined, { action: ['list', 'get'] }))),
    published: Type.Optional(
      Type.Enum(['', 'yes', 'no'], hints(undefined, { action: ['create', 'update'] })),
    ),
  }),
  placeholders: { settings: ['id'] },
  outputs: () => 1,
  faults: ({ collection }) =>
    collection.trim() === '' ? [{ field: 'collection', reason: 'must not be empty' }] : [],
  build({ action = 'list', collection, id = '', onlyPublished = false, published = '' }, { services }) {
    const { entries } = services;
    const idTemplate = template(id.trim() === '' ? defaultId : id);
    const state = published === '' ? {} : { published: published === 'yes' };
    const fieldsOf = (message: Message): EntryFields => ({ data: dataOf(message.payload), ...state });
    const idIn = (message: Message) => entryId(idTemplate.fill(message, formatValue));
    return async (message, { flow: { actor } }) => {
      const answer = (payload: unknown) => sendOne(message.with({ payload }));
      switch (action) {
        case 'list':
          return answer(await entries.list(collection, onlyPublished));
        case 'get': {
          const wanted = idTemplate.fill(message, formatValue).trim();
          const found = /^\d{1,15}$/.test(wanted) ? Number(wanted) : 0;
          return answer(await entries.get(collection, found, onlyPublished));
        }
        case 'create':
          return answer(await entries.create(actor, collection, fieldsOf(message)));
        case 'update':
          return answer(await entries.update(actor, collection, idIn(message), fieldsOf(message)));
        case 'delete':
          return answer(await entries.remove(actor, collection, idIn(message)));
      }
    };
  },
});

function entryId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text.trim())) throw new Error(`"${text.slice(0, 100)}" is no ID of an entry`);
  return Number(text);
}

/** `payload.data` if it is an object, else the fields of the payload. */
function dataOf(payload: unknown): Fields {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new Error('the payload must be an object with the values of the entry');
  const inner: unknown = Object.hasOwn(payload, 'data') ? Reflect.get(payload, 'data') : undefined;
  const isInner = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...(isInner ? inner : payload) };
}
