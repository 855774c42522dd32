import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import type { SharedServices } from '../../../feature.ts';
import { WorkflowSecret, WorkflowSecretValue } from './model.ts';
import { deleteSecret, presentSecret, putSecret } from './service.ts';
import { listSecrets } from './store.ts';

const Params = Type.Object({ name: Type.String({ description: 'Name of the secret.' }) });

export function workflowSecretRoutes({
  reader,
  changes,
  secrets,
}: Pick<SharedServices, 'reader' | 'changes' | 'secrets'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/workflow-secrets',
      access: 'write',
      needs: 'settings',
      summary: 'List the secrets of workflows, without their values',
      response: Type.Array(WorkflowSecret),
      handle: async () => (await listSecrets(reader)).map(presentSecret),
    }),
    defineRoute({
      method: 'PUT',
      path: '/workflow-secrets/{name}',
      access: 'write',
      needs: 'settings',
      summary: 'Create a secret or give it another value',
      params: Params,
      body: WorkflowSecretValue,
      response: WorkflowSecret,
      handle: ({ actor, params: { name }, body }) =>
        changes.changeUnversioned(actor, async (change) =>
          presentSecret(await putSecret(change, name, body.value, secrets)),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/workflow-secrets/{name}',
      access: 'write',
      needs: 'settings',
      summary: 'Delete a secret',
      params: Params,
      handle: ({ actor, params: { name } }) =>
        changes.changeUnversioned(actor, (change) => deleteSecret(change, name)),
    }),
  ];
}
