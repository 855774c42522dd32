import type { WorkflowActor } from '../../../base/actor.ts';
import { readOwnJson, writeJson } from '../../../http/json/json.ts';
import { isLongAsJson } from '../../../http/json/writer.ts';
import type { Cancellation } from '../../../processes/sandbox/model.ts';
import { memberText } from './json-members.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * What nodes send to each other: `msg`. It never changes, so branches can share it; each of them that changes
 * something makes a new one. It holds its fields, its JSON, or both, and makes the other form when it is asked for.
 */
export class Message {
  /** Nodes of its run that wait for it (`RunMemory`). */
  holders = 0;
  /** How its run shows it (`RunRecord`). */
  shown: string | undefined;
  #fields: Fields | undefined;
  #json: string | undefined;
  /** Undefined until it is asked for. */
  #isLong: boolean | undefined;

  private constructor(fields: Fields | undefined, json: string | undefined, isLong?: boolean) {
    this.#fields = fields;
    this.#json = json;
    this.#isLong = isLong;
  }

  /** @param fields values that JSON can hold; not to be changed afterwards */
  static of(fields: Fields): Message {
    return new Message(fields, undefined);
  }

  /** The same for fields of which it is known whether their JSON is long, which saves looking. */
  static ofKnown(fields: Fields, isLong: boolean): Message {
    return new Message(fields, undefined, isLong);
  }

  /** @param json an object */
  static parse(json: string): Message {
    return new Message(undefined, json);
  }

  get fields(): Fields {
    this.#fields ??= fieldsOf(JSON.parse(this.#json ?? '{}'));
    return this.#fields;
  }

  /** Whether reading its fields would hold the thread for long, unless `load` has read them. */
  get isLongText(): boolean {
    return this.#fields === undefined && (this.#json ?? '').length > longText;
  }

  /** Reads the fields of a long text in slices, between which others have their turn. */
  async load(): Promise<void> {
    if (this.isLongText) this.#fields = fieldsOf(await readOwnJson(this.#json ?? ''));
  }

  /** Whether making its JSON would hold the thread for long, unless `write` has made it. */
  get isLongValue(): boolean {
    if (this.#json !== undefined) return false;
    this.#isLong ??= isLongAsJson(this.#fields);
    return this.#isLong;
  }

  /** Makes the JSON of a long value in slices, between which others have their turn. */
  async write(): Promise<void> {
    if (this.isLongValue) this.#json = await writeJson(this.#fields);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.#fields);
    return this.#json;
  }

  /** One field, and its JSON if it is at hand. A text that was not read is read no further than this needs. */
  member(name: string): { readonly value: unknown; readonly json: string | undefined } {
    if (this.#fields !== undefined || this.#json === undefined)
      return { value: this.fields[name], json: undefined };
    const json = memberText(this.#json, name);
    return { value: json === undefined ? undefined : JSON.parse(json), json };
  }

  get payload(): unknown {
    return this.fields['payload'];
  }

  /** The same message with other values in some fields. */
  with(changes: Fields): Message {
    return Message.of({ ...this.fields, ...changes });
  }
}

/** Longest text that is read at once, in characters; at worst about 10 ms. */
const longText = 2 ** 18;

/** Type boundary: an object of JSON has fields. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The answer to the request of an HTTP input. */
export interface FlowResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly payload: unknown;
  /** The payload as it is sent, once it has been made and if it is short. */
  text?: string | undefined;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A run as a node sees it. */
export interface NodeRun {
  /** The same object for all nodes of a run. */
  readonly flow: FlowScope;
  log(level: LogLevel, text: string): void;
}

/** The same for a node that runs code of an author: it may tell later what it has sent, without a promise. */
export interface CodeNodeRun extends NodeRun {
  finished(sent: readonly (readonly Message[])[]): void;
  failed(error: unknown): void;
}

export interface FlowScope extends Cancellation {
  readonly actor: WorkflowActor;
  /** Aborted when the run ends before the node. Made when it is asked for; nodes that only look need none. */
  readonly signal: AbortSignal;
  /** Answers the request; only the first answer counts. */
  respond(response: FlowResponse): void;
  /** Waits, while other branches go on. */
  wait(ms: number): Promise<void>;
}
