import Type from 'typebox';

/** Longest values of fields, in characters. */
export const fieldLimits = { name: 200, title: 1000, text: 10_000, template: 2 * 2 ** 20 } as const;

/** `/things/{id}` */
export const IdParams = Type.Object({ id: Type.Integer({ minimum: 1, description: 'ID of the object.' }) });

/** `/things/{ref}`, for objects that paths name by ID or slug */
export const RefParams = Type.Object({
  ref: Type.String({ maxLength: fieldLimits.name, description: 'ID or slug of the object.' }),
});

/** The fields of an object that the server sets. */
export const serverFields = {
  id: Type.Integer({ description: 'ID of the object; never used again.' }),
  created_at: Type.Integer({ description: 'When the object was created, in Unix seconds.' }),
  updated_at: Type.Integer({
    description: 'When the object was changed last, in Unix seconds; grows with every change.',
  }),
};

/** A client sends this field to be refused when the object has changed since the client loaded it. */
export const baseUpdatedAt = {
  base_updated_at: Type.Optional(
    Type.Integer({
      description:
        'The `updated_at` that the client loaded. If the object has changed since, the answer is 409 `common.conflict`.',
    }),
  ),
};

/** Query of the deletion of an object. */
export const PurgeQuery = Type.Object({
  purge: Type.Optional(Type.Boolean({ description: 'Delete for good instead of moving to the trash.' })),
});
