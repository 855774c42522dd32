import type { Static, TSchema } from 'typebox';
import type { FieldFault } from '../../../base/errors.ts';
import type { FlowNodeDefinitions } from '../custom-nodes/model.ts';
import type { CodeNodeRun, Message } from '../message/message.ts';
import type { NodeServices } from '../node-services.ts';

/** What starts a workflow from outside, by a start node. */
export type Trigger =
  | {
      readonly kind: 'http';
      readonly method: HttpMethod | 'ANY';
      readonly path: string;
      readonly isPublic: boolean;
    }
  | { readonly kind: 'event'; readonly collection: string; readonly actions: readonly EventAction[] }
  | { readonly kind: 'cron'; readonly pattern: string };

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof httpMethods)[number];
export type EventAction = 'created' | 'updated' | 'deleted';

/** The messages that a node sends: a list for each output. Missing lists send nothing. */
export type NodeOutput = readonly (readonly Message[])[];

/**
 * Runs a node for one message. Returns undefined only if it runs code; it calls `run.finished` or `run.failed` then,
 * after it has returned.
 *
 * @throws an error, whose text ends the run
 */
export type Execute = (message: Message, run: CodeNodeRun) => NodeOutput | Promise<NodeOutput> | undefined;

/** What a node knows of its place in the flow. */
export interface NodePlace {
  readonly id: string;
  /** Number of wires that lead to it. */
  readonly incoming: number;
  readonly services: NodeServices;
}

/** A type of node, declared once: its settings, their rules, and what it does. */
export interface NodeType<Config extends TSchema = TSchema> {
  readonly config: Config;
  /** Whether it has no input. Default: false. */
  isStart?(config: Static<Config>, definitions: FlowNodeDefinitions): boolean;
  /**
   * Setting that decides how many outputs there are, for editors: a number, or a list with an element for each
   * output. Undefined if the number is always the same.
   */
  readonly outputsBy?: string;
  /** Number of outputs. */
  outputs(config: Static<Config>, definitions: FlowNodeDefinitions): number;
  /** Faults that the schema does not find; fields below `config`. */
  faults?(config: Static<Config>, definitions: FlowNodeDefinitions): readonly FieldFault[];
  /** Settings in which placeholders are filled. Default: none. */
  readonly placeholders?: {
    readonly settings: readonly Extract<keyof Static<Config>, string>[];
    /** Whether they may be secrets too. Default: no. */
    readonly withSecrets?: true;
  };
  /** Whether it runs code of an author. */
  readonly runsCode?: true;
  trigger?(config: Static<Config>): Trigger | undefined;
  /** Code of the author, which is checked on save. */
  code?(config: Static<Config>): string;
  /** Called once for each version of a flow. */
  build(config: Static<Config>, place: NodePlace): Execute;
}

/** Gives a type of node the type of its own settings. The table of nodes holds types of all settings. */
export function defineNode<Config extends TSchema>(type: NodeType<Config>): NodeType {
  return type;
}

/** One message on the first output. */
export function sendOne(message: Message): NodeOutput {
  return [[message]];
}
