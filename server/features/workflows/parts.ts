/** What workflows ask of other parts of the server. */
import type { FlowNode } from './custom-nodes/model.ts';

/** Calls external databases. */
export interface ExternalDatabases {
  /** @param action `list`, `get`, `create`, `update`, `delete`, `schema` or `tables` */
  call(
    connection: string,
    action: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** Sends mail with the instance's settings. Throws with the server's message. */
export interface MailSender {
  send(
    mail: { to: string; subject: string; text?: string; html?: string; replyTo?: string },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Values of `{{ secret.NAME }}`, and the masking of them in logs and traces. */
export interface WorkflowSecrets {
  value(name: string): string | undefined;
  mask(text: string): string;
}

/** The definitions of custom nodes. */
export interface FlowNodeDefinitions {
  /** The definition as committed; undefined for an unknown key. */
  find(key: string): FlowNode | undefined;
  /** What the code gets as `params`. @throws Error for a value that does not fit */
  parametersOf(node: FlowNode, given: Readonly<Record<string, unknown>>): object;
}
