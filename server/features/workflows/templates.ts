import type { WorkflowAnswer, WorkflowCall } from '../../../runtime/content/source-data.ts';
import type { ActiveWorkflows, WorkflowStart } from './active.ts';
import type { Engine } from './engine.ts';
import { findStartNode } from './flow/graph.ts';
import { Message } from './message/message.ts';

/** Longest time of a call, in milliseconds. */
const timeLimitMs = 10_000;
/** Most calls at the same time: a workflow may ask for a page that calls it. */
const maxCalls = 50;

/** Answers `workflow()` in templates, and the sitemap sources that are workflows. */
export class TemplateCalls {
  readonly #active: ActiveWorkflows;
  readonly #engine: Engine;
  #running = 0;

  constructor(active: ActiveWorkflows, engine: Engine) {
    this.#active = active;
    this.#engine = engine;
  }

  /** Never rejects; what goes wrong is the text of a render error. */
  async answer(call: WorkflowCall): Promise<WorkflowAnswer> {
    try {
      // Type boundary: the template function makes the JSON of an object.
      const payload: unknown = JSON.parse(call.payload);
      const result = await this.#run(await this.#startOf(call.workflow), Message.of({ payload }));
      return { ...call, result: JSON.stringify(result ?? null) };
    } catch (error) {
      return { ...call, error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The payload that a GET input answers with. @throws Error */
  async get(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    await this.#active.ready();
    const start = this.#inputAt(path, true);
    if (start === undefined) throw new Error(`there is no active workflow with the GET input "${path}"`);
    const shown = `/${partsOf(path).join('/')}`;
    const req = { method: 'GET', path: shown, params: start.params, query, headers: {}, body: null };
    return this.#run(start, Message.of({ payload: query, req }));
  }

  async #run({ workflow, node }: WorkflowStart, message: Message): Promise<unknown> {
    if (this.#running >= maxCalls)
      throw new Error(`pages call more than ${maxCalls} workflows at the same time`);
    this.#running += 1;
    try {
      const run = this.#engine.start({ workflow, node, message, trigger: 'template', timeLimitMs });
      const response = await run.response;
      if (response !== undefined) return response.payload;
      const { status, error, payload } = await run.end;
      if (status === 'error') throw new Error(error);
      return payload;
    } finally {
      this.#running -= 1;
    }
  }

  /** @throws Error if no active workflow has this ID, name or path */
  async #startOf(ref: string): Promise<WorkflowStart> {
    await this.#active.ready();
    const byId = /^[1-9]\d{0,14}$/.test(ref) ? this.#active.find(Number(ref)) : undefined;
    const workflow = byId ?? this.#active.findByName(ref);
    if (workflow !== undefined) {
      const node = findStartNode(workflow.graph);
      if (node === undefined) throw new Error(`the workflow "${ref}" has no start node`);
      return { workflow, node };
    }
    const start = this.#inputAt(ref, false);
    if (start === undefined) throw new Error(`there is no active workflow "${ref}"`);
    return start;
  }

  #inputAt(path: string, mustTakeGet: boolean) {
    const matches = this.#active.inputsOf(partsOf(path));
    const get = matches.find(({ input: { method } }) => method === 'GET' || method === 'ANY');
    const match = get ?? (mustTakeGet ? undefined : matches[0]);
    return match && { workflow: match.input.workflow, node: match.input.node, params: match.params };
  }
}

function partsOf(path: string): string[] {
  return path.replace(/^\//, '').split('/');
}
