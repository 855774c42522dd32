import type { Feature, SharedServices } from '../../../feature.ts';
import { workflowSecretRoutes } from './routes.ts';
import { listSecrets } from './store.ts';
import { SecretValues } from './values.ts';

/** Secrets of workflows: names that can be read, values that can only be written. */
export interface WorkflowSecretsFeature extends Feature {
  readonly secrets: Pick<SecretValues, 'value' | 'mask'>;
}

export async function workflowSecretsFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'secrets'>,
): Promise<WorkflowSecretsFeature> {
  const secrets = new SecretValues(parts.secrets, await listSecrets(parts.reader));
  return {
    about: { 'workflow-secrets': 'Values that workflows may use and nobody can read.' },
    routes: workflowSecretRoutes(parts),
    followers: [
      { of: ['workflow_secrets'], refresh: async () => secrets.use(await listSecrets(parts.reader)) },
    ],
    secrets,
  };
}
