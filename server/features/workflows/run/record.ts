/** What a run leaves behind: log entries and a trace, bounded, without secrets. */
import type { GraphNode } from '../flow/graph.ts';
import type { LogLevel, Message } from '../message/message.ts';
import { maxLogText, maxSecret, startOfText } from '../message/start-of-text.ts';
import type { WorkflowSecrets } from '../parts.ts';

export interface LogEntry {
  readonly level: LogLevel;
  /** ID of the node. */
  readonly node: string;
  readonly label: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** One execution of a node. */
export interface TraceEntry {
  readonly node: string;
  /** Unix milliseconds. */
  readonly time: number;
  ms: number;
  readonly in: string;
  out: readonly string[];
}

const maxLogEntries = 1000;
const maxTraceEntries = 500;
/** Most characters of a message in the trace, of a log entry, and of all log entries. */
const maxTraceText = 2000;
const maxLogTexts = 2 ** 20;

const nothing: readonly string[] = [];

export class RunRecord {
  readonly logs: LogEntry[] = [];
  readonly trace: TraceEntry[] = [];
  readonly #secrets: WorkflowSecrets;
  readonly #now: () => number;
  #logLength = 0;

  constructor(secrets: WorkflowSecrets, now: () => number) {
    this.#secrets = secrets;
    this.#now = now;
  }

  log(level: LogLevel, { id, label }: Pick<GraphNode, 'id' | 'label'>, text: string): void {
    if (this.logs.length >= maxLogEntries || this.#logLength > maxLogTexts) return;
    const isLast = this.logs.length === maxLogEntries - 1;
    const message = isLast ? 'the log is full, further entries are left out' : this.text(text, maxLogText);
    this.#logLength += message.length;
    this.logs.push({ level: isLast ? 'warn' : level, node: id, label, message, time: this.#now() });
  }

  /** Undefined when the trace is full. */
  begin({ id }: Pick<GraphNode, 'id'>, message: Message): TraceEntry | undefined {
    if (this.trace.length >= maxTraceEntries) return undefined;
    const entry = { node: id, time: this.#now(), ms: 0, in: this.#textOf(message), out: nothing };
    this.trace.push(entry);
    return entry;
  }

  /** The messages of an output: nothing is empty, several are a list. */
  sent(messages: readonly Message[]): string {
    const [first] = messages;
    if (first === undefined) return '';
    if (messages.length === 1) return this.#textOf(first);
    const texts = messages.slice(0, maxTraceText).map((message) => this.#textOf(message));
    return `[${texts.join(',')}]`.slice(0, maxTraceText);
  }

  /** The text of a value without secrets, of limited length. */
  textOfValue(value: unknown, max: number): string {
    return this.text(startOfText(value, max + maxSecret), max);
  }

  /** A text without secrets, of limited length. */
  text(text: string, max: number): string {
    const masked = this.#secrets.mask(text.slice(0, max + maxSecret)).slice(0, max);
    // A copy, because a part of a text keeps the whole text in memory.
    return text.length > max ? Buffer.from(masked, 'utf16le').toString('utf16le') : masked;
  }

  #textOf(message: Message): string {
    message.shown ??= this.text(message.json, maxTraceText);
    return message.shown;
  }
}
