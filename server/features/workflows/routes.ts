import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { invalid } from '../../base/errors.ts';
import { IdParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { BodyBuilder } from '../../http/body/parts.ts';
import { jsonBody } from '../../http/json/sliced.ts';
import type { HttpInputs } from './inputs/handler.ts';
import { describeNodeTypes, NodeTypeInfo } from './nodes/describe.ts';
import { httpMethods } from './nodes/node-type.ts';
import { formatDay, type RunLog } from './runs/log.ts';
import { Run, RunAnswer, RunRequest, RunStats, RunStatsQuery, StoreEntry, StoreQuery } from './runs/model.ts';
import type { WorkflowService } from './service.ts';
import type { WorkflowValues } from './values/service.ts';

export interface WorkflowRoutesDeps extends Pick<SharedServices, 'clock'> {
  readonly inputs: HttpInputs;
  readonly service: WorkflowService;
  readonly runs: RunLog;
  readonly values: WorkflowValues;
}

const RunParams = Type.Object({
  ...IdParams.properties,
  run: Type.Integer({ minimum: 1, description: 'ID of the run.' }),
});

/** Runs of workflows and their stores (Data, Automation and Operations, "Workflows"). */
export function workflowRoutes(deps: WorkflowRoutesDeps): Route[] {
  return [
    nodeTypesRoute,
    ...runningRoutes(deps),
    ...loggingRoutes(deps),
    ...storeRoutes(deps),
    ...inputRoutes(deps),
  ];
}

const nodeTypesRoute = defineRoute({
  method: 'GET',
  path: '/workflow-node-types',
  access: 'read',
  needs: 'read',
  summary: 'List the types of nodes with the schemas of their settings',
  response: Type.Array(NodeTypeInfo),
  handle: async () => describeNodeTypes(),
});

const runErrors = ['workflow.unknownNodeType', 'common.busy'] as const;

function runningRoutes({ service }: WorkflowRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/workflows/{id}/run',
      access: 'write',
      needs: 'run',
      summary: 'Run a workflow and wait for its end',
      params: IdParams,
      body: RunRequest,
      bodyOptional: true,
      response: RunAnswer,
      errors: runErrors,
      handle: async ({ actor, params: { id }, body }) => {
        await service.requireRunnable(actor, id, body);
        return Reply.madeJson(await jsonBody(await service.runByHand(id, body)));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/workflows/{id}/runs/{run}/retry',
      access: 'write',
      needs: 'run',
      summary: 'Repeat a run with the present flow',
      params: RunParams,
      response: RunAnswer,
      errors: ['workflow.notRepeatable', 'common.busy'],
      handle: async ({ actor, params: { id, run } }) => {
        await service.requireRunnable(actor, id);
        return Reply.madeJson(await jsonBody(await service.repeat(id, run)));
      },
    }),
  ];
}

/** The default of `from`, counted from `to`. */
const defaultDays = 30;
const dayMs = 86_400_000;

function loggingRoutes({ service, runs, clock }: WorkflowRoutesDeps): Route[] {
  const shared = { path: '/workflows/{id}/runs', params: IdParams } as const;
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      // Runs show what visitors have sent; read-only tokens may not see them (Core, "Authentication", rule 7).
      access: 'write',
      needs: 'run',
      summary: 'List the last 50 runs of a workflow, newest first',
      response: Type.Array(Run),
      async handle({ actor, params: { id } }) {
        await service.requireRunnable(actor, id);
        const body = new BodyBuilder();
        const list = await runs.list(id);
        for (const [index, json] of list.entries()) body.add((index === 0 ? '[' : ',') + json);
        body.add(list.length === 0 ? '[]' : ']');
        return Reply.madeJson(body.finish());
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      access: 'write',
      needs: 'run',
      summary: 'Clear the log of a workflow',
      async handle({ actor, params: { id } }) {
        await service.requireRunnable(actor, id);
        await runs.clear(id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/workflows/{id}/stats',
      access: 'read',
      needs: 'objects',
      summary: 'Count the runs of a workflow by day',
      params: IdParams,
      query: RunStatsQuery,
      response: RunStats,
      async handle({ params: { id }, query }) {
        await service.require(id);
        const to = checkedDay('to', query.to) ?? formatDay(clock());
        const earliest = formatDay(Date.parse(`${to}T12:00:00`) - (defaultDays - 1) * dayMs);
        const from = checkedDay('from', query.from) ?? earliest;
        if (from > to) throw invalid('from', 'must not be after "to"');
        return runs.stats(id, from, to);
      },
    }),
  ];
}

function storeRoutes({ service, values }: WorkflowRoutesDeps): Route[] {
  const shared = { path: '/workflows/{id}/store', access: 'write', needs: 'run', params: IdParams } as const;
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      summary: 'List what the function nodes of a workflow have stored',
      response: Type.Array(StoreEntry),
      async handle({ actor, params: { id } }) {
        await service.requireRunnable(actor, id);
        return values.list(id);
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      summary: 'Delete one value of the store of a workflow, or all',
      query: StoreQuery,
      async handle({ actor, params: { id }, query: { key } }) {
        await service.requireRunnable(actor, id);
        await values.clear(actor, id, key);
      },
    }),
  ];
}

const InputParams = Type.Object({
  path: Type.String({ description: 'The path of the input, which may have several parts.' }),
});

function inputRoutes({ inputs }: WorkflowRoutesDeps): Route[] {
  return [...httpMethods, 'OPTIONS' as const].map((method) =>
    defineRoute({
      method,
      path: '/flows/{path}',
      access: 'public',
      needs: 'nothing',
      takesRest: true,
      summary: inputSummaries[method],
      params: InputParams,
      ...(method === 'GET' ? { response: Type.Unknown({ description: 'What the workflow answers.' }) } : {}),
      errors: inputErrors,
      takeOver: (request, params, actor, done, failed) =>
        inputs.answer(params.get('path') ?? '', { request, actor, done, failed }),
    }),
  );
}

const inputErrors = [
  'auth.required',
  'auth.readOnly',
  'auth.notAllowed',
  'auth.csrf',
  'common.methodNotAllowed',
  'common.contentType',
  'common.invalidJson',
  'common.tooLarge',
  'common.busy',
  'workflow.crossSite',
  'workflow.failed',
  'workflow.nestedTooDeep',
] as const;

const inputSummaries = {
  GET: 'Start the workflow with this HTTP input; the query is its payload',
  POST: 'Start the workflow with this HTTP input; the body is its payload',
  PUT: 'Start the workflow with this HTTP input; the body is its payload',
  PATCH: 'Start the workflow with this HTTP input; the body is its payload',
  DELETE: 'Start the workflow with this HTTP input',
  OPTIONS: 'Ask which requests other origins may send to a public HTTP input',
} as const;

/** @throws ApiError `common.invalid` for a day that does not exist */
function checkedDay(field: string, day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day)
    throw invalid(field, 'is no day, expected YYYY-MM-DD');
  return day;
}
