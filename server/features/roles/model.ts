import Type, { type Static } from 'typebox';
import { actions, type Grant as BaseGrant } from '../../base/rights.ts';
import { fieldLimits, serverFields } from '../../content/common-fields.ts';

const maxEntries = 1_000;
const maxGrants = 200;

const ActionName = Type.Enum([...actions], { description: 'What may be done.' });
/** Kinds are declared by the features; `known-kinds.ts` checks the name. */
const KindName = Type.String({ description: 'Kind of the object, such as `page`, `user` or `setting`.' });

function ids(description: string) {
  return Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: maxEntries, description }));
}

export const Grant = Type.Object(
  {
    actions: Type.Array(ActionName, { description: 'What may be done.', maxItems: maxEntries }),
    on: Type.Optional(
      Type.Object(
        {
          kinds: Type.Optional(
            Type.Array(KindName, { maxItems: maxEntries, description: 'Only objects of these kinds.' }),
          ),
          sites: ids('Only what belongs to these websites (IDs of root pages).'),
          pages: ids('Only these pages, with everything below them.'),
          collections: Type.Optional(
            Type.Array(
              Type.Union([
                Type.Integer({ minimum: 1 }),
                Type.String({ minLength: 1, maxLength: fieldLimits.name }),
              ]),
              {
                maxItems: maxEntries,
                description: 'Only these collections and their entries, by ID or slug.',
              },
            ),
          ),
          languages: Type.Optional(
            Type.Array(Type.String({ maxLength: fieldLimits.name }), {
              maxItems: maxEntries,
              description: 'Only objects in these languages.',
            }),
          ),
          workflows: ids('Only these workflows.'),
        },
        {
          additionalProperties: false,
          description: 'Limits, which apply all at once. Without one the grant is for everything.',
        },
      ),
    ),
  },
  { additionalProperties: false, title: 'Grant', description: 'Actions that are allowed on some objects.' },
);

const grants = Type.Array(Grant, {
  maxItems: maxGrants,
  description: 'What the role allows. Grants add up; nothing takes a right away.',
});
const name = Type.String({ maxLength: fieldLimits.name, description: 'Name for people.' });
const description = Type.String({ maxLength: fieldLimits.text, description: 'What the role is for.' });
const require_factor = Type.Boolean({ description: 'Whether users with the role need a second factor.' });

export const Role = Type.Object(
  {
    id: serverFields.id,
    name,
    description,
    builtin: Type.Boolean({ description: 'Whether the role comes with the program and never changes.' }),
    require_factor,
    grants,
  },
  {
    title: 'Role',
    description: 'A set of rights that users and tokens can have.',
    examples: [
      {
        id: 6,
        name: 'News desk',
        description: 'Writes the news.',
        builtin: false,
        require_factor: false,
        grants: [{ actions: ['read', 'edit', 'publish'], on: { pages: [12] } }],
      },
    ],
  },
);

/** A role as answers show it. */
export interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  readonly require_factor: boolean;
  readonly grants: readonly BaseGrant[];
}

export const RoleCreate = Type.Object(
  {
    name,
    description: Type.Optional(description),
    require_factor: Type.Optional(require_factor),
    grants: Type.Optional(grants),
  },
  { title: 'RoleCreate', description: 'A new role.' },
);
export type RoleCreate = Static<typeof RoleCreate>;

export const RoleUpdate = Type.Partial(RoleCreate, {
  title: 'RoleUpdate',
  description: 'Fields of a role to change.',
});
export type RoleUpdate = Static<typeof RoleUpdate>;

/** `role_ids` of users and tokens. */
export const RoleIds = Type.Array(Type.Integer({ minimum: 1 }), {
  maxItems: 100,
  description: 'IDs of roles. Their rights add up.',
});

export const CanRequest = Type.Object(
  {
    checks: Type.Array(
      Type.Object({
        action: ActionName,
        kind: KindName,
        id: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'ID of the object. Without it: whether there may be one of the kind.',
          }),
        ),
      }),
      { maxItems: maxEntries, description: 'Questions, answered in order.' },
    ),
  },
  { title: 'CanRequest', description: 'What the caller wants to know about its own rights.' },
);
export type CanRequest = Static<typeof CanRequest>;
