import Type, { type Static } from 'typebox';

export const secretLimits = { value: 10_000, secrets: 500 } as const;

/** A secret as it is listed; its value is never shown. */
export const WorkflowSecret = Type.Object(
  {
    name: Type.String({ description: 'Name of the secret: used as `{{ secret.NAME }}`.' }),
    updated_at: Type.Integer({ description: 'When its value was set last, in Unix seconds.' }),
  },
  {
    title: 'WorkflowSecret',
    description: 'A value that workflows may use and nobody can read.',
    examples: [{ name: 'SHOP_TOKEN', updated_at: 1_780_000_000 }],
  },
);
export type WorkflowSecret = Static<typeof WorkflowSecret>;

export const WorkflowSecretValue = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: secretLimits.value,
      description: 'The value. It is stored encrypted and never returned.',
    }),
  },
  {
    title: 'WorkflowSecretValue',
    description: 'The value of a secret.',
    examples: [{ value: 'a token of another service' }],
  },
);
