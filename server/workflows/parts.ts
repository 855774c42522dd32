/** What workflows ask of other parts of the server. */

/** Runs the code of function and custom nodes. */
export interface CodeRunner {
  /** Undefined, or the syntax fault with line and column (from 1) of the author's code. */
  check(code: string): CodeFault | undefined;
  run(task: CodeTask): Promise<CodeResult>;
}

export interface CodeFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface CodeTask {
  readonly code: string;
  /** JSON text of msg. */
  readonly message: string;
  /** JSON text of the parameters of a custom node. */
  readonly params?: string;
  readonly outputs: number;
  /**
   * Answers store.* and idb.* calls: JSON text in (list of arguments), JSON text out; a rejection becomes an error
   * in the author's code.
   */
  readonly call: (name: string, args: string) => Promise<string | undefined>;
  readonly log: (level: 'log' | 'warn' | 'error', text: string) => void;
  readonly signal: AbortSignal;
}

export interface CodeResult {
  /** One list per output: the messages sent, as JSON text, in order. */
  readonly outputs: readonly (readonly string[])[];
  readonly error?: CodeFault | { readonly message: string };
}

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

/** A custom node as its newest definition has it. */
export interface FlowNodeDefinition {
  readonly key: string;
  /** 0 for a start node. */
  readonly inputs: number;
  /** Labels of the outputs. */
  readonly outputs: readonly string[];
  readonly code: string;
  readonly params: readonly { readonly name: string; readonly default?: unknown }[];
}

/** Finds the definitions of custom nodes. */
export interface FlowNodeDefinitions {
  /** The definition as committed; undefined for an unknown key. */
  find(key: string): FlowNodeDefinition | undefined;
}
