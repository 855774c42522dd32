/** What workflows ask of other parts of the server. */

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
  /** Whether there is a mail server to send with. */
  readonly isSetUp: boolean;
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
