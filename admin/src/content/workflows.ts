import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';
import type { RunAnswer, Workflow, WorkflowNodeType } from '../api/generated/schema.ts';
import { queryClient } from '../api/query-client.ts';
import { Resource } from '../api/resource.ts';
import type { Flow } from './flow.ts';

export type { Workflow };

/** Runs change the list without a change of content, so it is asked for again while it is on the screen. */
export const workflows = new Resource('/workflows', { feeds: ['workflow'], everyMs: 10_000 });

/** Definitions of custom nodes. */
export const flowNodes = new Resource('/flow-nodes', { feeds: ['flow_node'] });

/** The types of nodes, by their name. They stay the same as long as the server runs. */
const typesQuery = queryOptions({
  queryKey: ['workflow-node-types'],
  queryFn: () => requireData(api.GET('/workflow-node-types')),
  staleTime: Number.POSITIVE_INFINITY,
  select: (list: WorkflowNodeType[]) => new Map(list.map((info) => [info.type, info])),
});

export function useNodeTypes() {
  return useQuery(typesQuery);
}

export interface NewWorkflow {
  readonly name: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly flow?: Flow;
}

export function createWorkflow({ flow, ...rest }: NewWorkflow): Promise<Workflow> {
  return workflows.create({ ...rest, ...(flow === undefined ? {} : { flow: copyOf(flow) }) });
}

export interface RunWish {
  /** Start node; default: the first. */
  readonly node?: string;
  readonly payload?: unknown;
  /** A flow that is not saved. */
  readonly flow?: Flow;
}

/** Runs a workflow and waits for its end. */
export async function runWorkflow(id: number, { flow, ...wish }: RunWish): Promise<RunAnswer> {
  const body = { ...wish, ...(flow === undefined ? {} : { flow: copyOf(flow) }) };
  const answer = await requireData(api.POST('/workflows/{id}/run', { params: { path: { id } }, body }));
  await runsChanged(id);
  return answer;
}

export async function repeatRun(id: number, run: number): Promise<RunAnswer> {
  const answer = await requireData(
    api.POST('/workflows/{id}/runs/{run}/retry', { params: { path: { id, run } } }),
  );
  await runsChanged(id);
  return answer;
}

export async function clearRuns(id: number): Promise<void> {
  await requireData(api.DELETE('/workflows/{id}/runs', { params: { path: { id } } }));
  await runsChanged(id);
}

export function useRuns(id: number) {
  return useQuery({
    queryKey: ['workflow-runs', id],
    queryFn: () => requireData(api.GET('/workflows/{id}/runs', { params: { path: { id } } })),
  });
}

export function useRunStats(id: number) {
  return useQuery({
    queryKey: ['workflow-runs', id, 'stats'],
    queryFn: () => requireData(api.GET('/workflows/{id}/stats', { params: { path: { id } } })),
  });
}

async function runsChanged(id: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['workflow-runs', id] }),
    queryClient.invalidateQueries({ queryKey: ['workflow-store', id] }),
    workflows.changed(),
  ]);
}

export function useStoreEntries(id: number) {
  return useQuery({
    queryKey: ['workflow-store', id],
    queryFn: () => requireData(api.GET('/workflows/{id}/store', { params: { path: { id } } })),
  });
}

/** Deletes one value of the store, or all. */
export async function clearStore(id: number, key?: string): Promise<void> {
  const query = key === undefined ? {} : { key };
  await requireData(api.DELETE('/workflows/{id}/store', { params: { path: { id }, query } }));
  await queryClient.invalidateQueries({ queryKey: ['workflow-store', id] });
}

const secretsQuery = queryOptions({
  queryKey: ['workflow-secrets'],
  queryFn: () => requireData(api.GET('/workflow-secrets')),
});

export function useSecrets() {
  return useQuery(secretsQuery);
}

export async function putSecret(name: string, value: string): Promise<void> {
  await requireData(api.PUT('/workflow-secrets/{name}', { params: { path: { name } }, body: { value } }));
  await queryClient.invalidateQueries(secretsQuery);
}

export async function deleteSecret(name: string): Promise<void> {
  await requireData(api.DELETE('/workflow-secrets/{name}', { params: { path: { name } } }));
  await queryClient.invalidateQueries(secretsQuery);
}

/** Requests take lists that may be changed; flows here never are. */
function copyOf({ nodes, wires }: Flow) {
  return { nodes: [...nodes], wires: [...wires] };
}
