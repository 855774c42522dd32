import type { Clock } from '../../../base/clock.ts';
import { invalid, invalidFields } from '../../../base/errors.ts';
import type { CodeResult, CodeRunner, CodeTask } from '../../../processes/sandbox/model.ts';
import type { FlowNodeParam, FlowNodeTest, FlowNodeTestResult } from './model.ts';
import { findDefinitionFaults, requireParameters } from './rules.ts';

export interface TrialDeps {
  readonly sandbox: CodeRunner;
  readonly clock: Clock;
  readonly monotonic: Clock;
  /** Answers `idb.*`. */
  readonly databases: CodeTask['call'];
}

/** Longest time of a trial, in milliseconds; what waits for an external database uses no processor time. */
const longestMs = 60_000;

/**
 * POST /flow-nodes/test: runs a definition once. Nothing of it is kept; `store` is empty at first and gone
 * afterwards.
 *
 * @throws ApiError for a definition that could not be stored, except for its code
 */
export async function tryFlowNode(
  { node, params = {}, msg = { payload: '' } }: FlowNodeTest,
  { sandbox, clock, monotonic, databases }: TrialDeps,
): Promise<FlowNodeTestResult> {
  const faults = await findDefinitionFaults(node);
  if (faults.length > 0)
    throw invalidFields(faults.map(({ field, reason }) => ({ field: `node.${field}`, reason })));
  const { name = '', code = '', outputs = [''] } = node;
  const logs: FlowNodeTestResult['logs'] = [];
  const store = new TrialStore();
  const started = monotonic();
  const { outputs: sent, error } = await sandbox.run({
    code,
    message: JSON.stringify(msg),
    params: JSON.stringify(valuesOf(node.params ?? [], params)),
    outputs: outputs.length,
    call: async (call, args) =>
      call.startsWith('store.') ? store.answer(call, args) : databases(call, args),
    log: (level, message) => logs.push({ level, node: '', label: name, message, time: clock() }),
    signal: AbortSignal.timeout(longestMs),
  });
  return {
    status: error === undefined ? 'ok' : 'error',
    ...placeOf(error),
    outputs: sent.map((messages) => (messages.length > 1 ? `[${messages.join()}]` : (messages[0] ?? ''))),
    logs,
    duration_ms: monotonic() - started,
  };
}

/** @throws ApiError `common.invalid` for a value that does not fit its parameter */
function valuesOf(params: readonly FlowNodeParam[], given: Readonly<Record<string, unknown>>): object {
  try {
    return requireParameters(params, given);
  } catch (error) {
    throw invalid('params', error instanceof Error ? error.message : String(error));
  }
}

function placeOf(error: CodeResult['error']): Pick<FlowNodeTestResult, 'error' | 'line' | 'column'> {
  if (error === undefined) return { error: '', line: 0, column: 0 };
  const { message } = error;
  return 'line' in error
    ? { error: message, line: error.line, column: error.column }
    : { error: message, line: 0, column: 0 };
}

/** The store of one trial: JSON texts by key. */
class TrialStore {
  readonly #values = new Map<string, string>();

  /** Answers `store.get`, `store.set` and `store.keys`. A value that is left out is deleted. */
  answer(call: string, args: string): string | undefined {
    const list: readonly unknown[] = JSON.parse(args);
    const key = String(list[0]);
    if (call === 'store.keys') return JSON.stringify([...this.#values.keys()]);
    if (call === 'store.get') return this.#values.get(key);
    if (list.length < 2) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(list[1]));
    return undefined;
  }
}
