import type { Outgoing } from '../../http/outgoing/client.ts';
import type { OwnRequests } from '../../http/outgoing/own-requests.ts';
import type { CodeRunner } from '../../processes/sandbox/model.ts';
import type { CollectionEntries } from '../collections/entries.ts';
import type { FlowNodeDefinitions } from './custom-nodes/model.ts';
import type { ExternalDatabases, MailSender, WorkflowSecrets } from './parts.ts';
import type { WorkflowValues } from './values/service.ts';

/** What nodes ask of the rest of the server. */
export interface NodeServices {
  readonly code: CodeRunner;
  readonly databases: ExternalDatabases;
  readonly mail: MailSender;
  readonly secrets: WorkflowSecrets;
  readonly definitions: FlowNodeDefinitions;
  readonly outgoing: Pick<Outgoing, 'send' | 'faultOf'>;
  readonly entries: CollectionEntries;
  readonly values: WorkflowValues;
  readonly ownRequests: OwnRequests;
}
