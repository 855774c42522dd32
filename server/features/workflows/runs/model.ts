import Type, { type Static } from 'typebox';
import { FlowInput } from '../model.ts';

export const triggerKinds = ['manual', 'cron', 'http', 'event', 'template'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

const time = Type.Integer({ description: 'Unix milliseconds.' });

const RunLog = Type.Object(
  {
    level: Type.Enum(['debug', 'info', 'warn', 'error'], { description: 'How important it is.' }),
    node: Type.String({ description: 'ID of the node.' }),
    label: Type.String({ description: 'Name of the node, else its type and ID.' }),
    message: Type.String({ description: 'What it says.' }),
    time,
  },
  { title: 'RunLog', description: 'An entry of the log of a run.' },
);

const RunTrace = Type.Object(
  {
    node: Type.String({ description: 'ID of the node.' }),
    time,
    ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    in: Type.String({ description: 'The message it got, as JSON, at most 2,000 characters.' }),
    out: Type.Array(Type.String(), {
      description: 'The message sent at each output, as JSON, at most 2,000 characters; empty = nothing.',
    }),
  },
  { title: 'RunTrace', description: 'One execution of a node.' },
);

export const Run = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the run.' }),
    workflow_id: Type.Integer({ description: 'ID of the workflow.' }),
    trigger: Type.Enum([...triggerKinds], { description: 'What has started it.' }),
    status: Type.Enum(['ok', 'error'], { description: 'How it ended.' }),
    error: Type.String({ description: 'What went wrong, with workflow and node; empty = nothing.' }),
    result: Type.String({ description: 'The payload at the end, as text, at most 2,000 characters.' }),
    logs: Type.Array(RunLog, { description: 'At most 1,000 entries.' }),
    trace: Type.Array(RunTrace, { description: 'At most 500 executions.' }),
    started_at: time,
    duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  },
  { title: 'WorkflowRun', description: 'A run of a workflow.' },
);
export type Run = Static<typeof Run>;

export const RunRequest = Type.Object(
  {
    node: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'ID of the start node; default: the first inject node, else the first start node.',
      }),
    ),
    payload: Type.Optional(Type.Unknown({ description: 'In place of the stored payload.' })),
    flow: Type.Optional(FlowInput),
  },
  {
    title: 'RunRequest',
    description: 'How to run a workflow; `flow` is one that is not saved.',
    examples: [{ payload: { name: 'Ada' } }],
  },
);

export const RunAnswer = Type.Object(
  {
    run: Run,
    response: Type.Optional(
      Type.Object(
        {
          status: Type.Integer({ description: 'Status.' }),
          headers: Type.Record(Type.String(), Type.String(), { description: 'Headers by name.' }),
          body: Type.Unknown({ description: 'The payload at the http-response node.' }),
        },
        { description: 'What an HTTP input would answer.' },
      ),
    ),
  },
  { title: 'RunAnswer', description: 'A run, and its response if it has reached one.' },
);
export type RunAnswer = Static<typeof RunAnswer>;

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A day, `YYYY-MM-DD`.' });

export const RunStatsQuery = Type.Object({ from: Type.Optional(day), to: Type.Optional(day) });

export const RunStats = Type.Object(
  {
    runs: Type.Integer({ description: 'All runs of the time.' }),
    errors: Type.Integer({ description: 'Those that failed.' }),
    days: Type.Array(
      Type.Object({
        day,
        runs: Type.Integer({ description: 'Runs of the day.' }),
        errors: Type.Integer({ description: 'Those that failed.' }),
        p50_ms: Type.Integer({ description: 'Half of the runs took at most this long, in milliseconds.' }),
        p99_ms: Type.Integer({ description: '99 of 100 runs took at most this long, in milliseconds.' }),
      }),
      { description: 'Days with runs, in order.' },
    ),
  },
  { title: 'WorkflowStats', description: 'How often a workflow ran, and how long.' },
);
export type RunStats = Static<typeof RunStats>;

export const StoreEntry = Type.Object(
  {
    key: Type.String({ description: 'Key.' }),
    value: Type.String({ description: 'JSON text.' }),
    updated_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { title: 'WorkflowStoreEntry', description: 'A value that function nodes keep from run to run.' },
);

export const StoreQuery = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 500, description: 'Deletes this key only.' })),
});
