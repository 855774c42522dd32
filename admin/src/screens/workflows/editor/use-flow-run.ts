import { useEffect, useMemo, useState } from 'react';
import type { RunAnswer } from '../../../api/generated/schema.ts';
import { computePorts } from '../../../content/flow.ts';
import { runWorkflow } from '../../../content/workflows.ts';
import { type Sending, useSubmit } from '../../../kit/form/submit.ts';
import { faultsAtNodes, faultsOfRun, faultsStill, type NodeFaults } from '../model/faults.ts';
import { computeTraces, type RunTraces } from '../model/trace.ts';
import { type FlowEditing, type RunInput, useFlow } from '../state/flow-editing.ts';

export interface FlowRun {
  readonly input: RunInput;
  readonly sending: Sending;
  /** The run that is shown in the graph. */
  readonly answer: RunAnswer | undefined;
  readonly traces: RunTraces | undefined;
  /** Faults for which the flow could not be run, or that stopped it. */
  readonly faults: NodeFaults;
  setInput(input: RunInput): void;
  show(answer: RunAnswer | undefined): void;
}

/** Runs the flow as it is in the editor, and keeps the run that is shown. */
export function useFlowRun(editing: FlowEditing): FlowRun {
  const flow = useFlow(editing);
  const [written, setInput] = useState<RunInput>({ start: '', payload: '' });
  // A node that may be deleted meanwhile, or was never chosen: the first one then, as the panel shows it.
  const starts = flow.nodes.filter((node) => computePorts(node, editing.types).isStart);
  const start = starts.find(({ id }) => id === written.start) ?? starts[0];
  const input = { ...written, start: start?.id ?? '' };
  const [ranFlow, setRanFlow] = useState(flow);
  const [answer, setAnswer] = useState<RunAnswer>();
  const { store } = editing;
  const sending = useSubmit(async () => {
    const { payload } = input;
    const sent = store.changes.flow;
    setRanFlow(editing.flow);
    setAnswer(
      await runWorkflow(store.base.id, {
        ...(start === undefined ? {} : { node: start.id }),
        ...(payload.trim() === '' ? {} : { payload: payloadOf(payload) }),
        ...(sent === undefined ? {} : { flow: sent }),
      }),
    );
  });
  const { error } = sending;
  const traces = useMemo(
    () => (answer === undefined ? undefined : computeTraces(answer.run, flow)),
    [answer, flow],
  );
  const faults = useMemo(
    () =>
      faultsStill(
        error === undefined ? faultsOfRun(answer?.run) : faultsAtNodes(error, ranFlow),
        ranFlow,
        flow,
      ),
    [error, answer, ranFlow, flow],
  );
  useEffect(() => {
    const failed = answer?.run.logs.findLast(({ level }) => level === 'error')?.node;
    if (failed !== undefined && failed !== '') editing.choose([failed]);
  }, [answer, editing]);
  return { input, sending, answer, traces, faults, setInput, show: setAnswer };
}

/** JSON as its value, all else as text. */
function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
