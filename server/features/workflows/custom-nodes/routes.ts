import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { StrictQuery } from '../../../api/validate.ts';
import { apiError, type ErrorCode } from '../../../base/errors.ts';
import { leveled } from '../../../base/warnings.ts';
import { IdParams } from '../../../content/common-fields.ts';
import { createObject, requireObject, updateObject } from '../../../content/kinds/objects.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import type { CodeRunner } from '../../../processes/sandbox/model.ts';
import { FlowNode, FlowNodeCreate, FlowNodeTest, FlowNodeTestResult, FlowNodeUpdate } from './model.ts';
import type { FlowNodeKind, UsedBy } from './service.ts';
import { type TrialDeps, tryFlowNode } from './trial.ts';

export interface FlowNodeRoutesDeps extends Pick<SharedServices, 'reader' | 'changes'>, TrialDeps {
  readonly kind: FlowNodeKind;
  readonly usedBy: UsedBy;
}

export function flowNodeRoutes(deps: FlowNodeRoutesDeps): Route[] {
  const { reader, usedBy, kind } = deps;
  return [
    createRoute(deps),
    updateRoute(deps),
    defineRoute({
      method: 'GET',
      path: '/flow-nodes/{id}/usage',
      access: 'read',
      needs: 'objects',
      summary: 'List the names of the workflows that use a custom node',
      params: IdParams,
      response: Type.Array(Type.String()),
      handle: async ({ params: { id } }) => usedBy(reader, (await requireObject(kind, reader, id)).key),
    }),
    defineRoute({
      method: 'POST',
      path: '/flow-nodes/test',
      access: 'write',
      needs: 'code',
      summary: 'Run a definition of a custom node once, without storing anything',
      body: FlowNodeTest,
      response: FlowNodeTestResult,
      errors: ['common.busy'],
      handle: ({ body }) => tryFlowNode(body, deps),
    }),
  ];
}

/** Saves have routes of their own, because the code is looked at in another process before the change begins. */
function createRoute({ kind, reader, changes, sandbox }: FlowNodeRoutesDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/flow-nodes',
    access: 'write',
    needs: { action: 'publish', kind: 'flow_node' },
    summary: 'Create a custom node',
    query: StrictQuery,
    body: FlowNodeCreate,
    moreFaults: (fields) => faultsOf(kind, reader, fields, undefined),
    response: FlowNode,
    status: 201,
    errors: ['flownode.keyTaken', ...codeErrors],
    async handle({ actor, query, body }) {
      await requireUsableCode(sandbox, body, query.strict);
      return changes.change(actor, (change) => createObject(change, kind, body, query));
    },
  });
}

function updateRoute({ kind, reader, changes, sandbox }: FlowNodeRoutesDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/flow-nodes/{id}',
    access: 'write',
    needs: { action: 'publish', kind: 'flow_node', hasCopy: true },
    summary: 'Change fields of a custom node',
    params: IdParams,
    query: StrictQuery,
    body: FlowNodeUpdate,
    moreFaults: async (fields, { id }) => {
      const before = await kind.find(reader, id);
      return before === undefined ? [] : faultsOf(kind, reader, fields, before);
    },
    response: FlowNode,
    errors: codeErrors,
    async handle({ actor, params: { id }, query, body }) {
      await requireObject(kind, reader, id);
      await requireUsableCode(sandbox, body, query.strict);
      return changes.change(actor, (change) => updateObject(change, kind, id, body, query));
    },
  });
}

const codeErrors: readonly ErrorCode[] = ['flownode.codeInvalid', 'template.invalid', 'common.busy'];

async function faultsOf(
  kind: FlowNodeKind,
  db: ContentDb,
  fields: Parameters<NonNullable<FlowNodeKind['faultsIn']>>[1],
  before: FlowNode | undefined,
) {
  return (await kind.faultsIn?.(db, fields, before)) ?? [];
}

/** @throws ApiError 400 `flownode.codeInvalid`; 422 `template.invalid` with `strict=1` */
export async function requireUsableCode(
  sandbox: CodeRunner,
  { code }: { readonly code?: string },
  isStrict = false,
): Promise<void> {
  const fault = code === undefined ? undefined : await sandbox.check(code);
  if (fault === undefined) return;
  const { message, line, column } = fault;
  const error = apiError('flownode.codeInvalid', { message, line, column });
  if (!isStrict) throw error;
  const params = { template: 'code', line, column, message };
  const warnings = [leveled({ code: 'template.syntax', error: error.message, params })];
  throw apiError('template.invalid', { count: 1 }, { fields: { warnings } });
}
