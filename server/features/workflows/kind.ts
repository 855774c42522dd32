import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { apiError, collectFaults, type ErrorCode, invalidFields, requireText } from '../../base/errors.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { CheckedText } from '../../changes/text-analysis.ts';
import type { Kind, NamingVisitor, Reference } from '../../content/kinds/kind.ts';
import { dataReferencesIn, mediaReferencesIn } from '../../content/kinds/references.ts';
import type { RestoredName, RestoredNames, RowEdits } from '../../content/kinds/trash/declaration.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { FlowNodeDefinitions } from './custom-nodes/model.ts';
import { completeFlow, faultsInFlow, listInputKeys, sharesMethod } from './flow/check.ts';
import { listFindings, listMissingCollections } from './flow/findings.ts';
import { computePathShape, parseInputPath } from './message/input-path.ts';
import {
  type Flow,
  type FlowInput,
  type StoredWorkflow,
  Workflow,
  WorkflowCreate,
  WorkflowUpdate,
} from './model.ts';
import { nodeTypes } from './nodes/index.ts';
import * as store from './store.ts';

const errors: readonly ErrorCode[] = ['workflow.unknownNodeType', 'workflow.pathTaken'];

/** The fields of an answer that say how a workflow runs. */
export type RunFacts = Pick<Workflow, 'last_run_at' | 'last_status' | 'next_run'>;

export interface WorkflowKindDeps {
  readonly definitions: FlowNodeDefinitions;
  factsOf(id: number): Promise<RunFacts>;
  /** Whether there is a collection of a slug. */
  hasCollection(db: ContentDb, slug: string): Promise<boolean>;
  /** Called when a workflow is gone for good. */
  forgetRuns(id: number): void;
}

export type WorkflowKind = Kind<StoredWorkflow, typeof WorkflowCreate, typeof WorkflowUpdate>;

const SavedWorkflow = Type.Object(
  {
    ...Workflow.properties,
    warnings: Type.Array(Warning, {
      description: 'Code that does not parse, and what nodes will not do as their settings suggest.',
    }),
  },
  { title: 'SavedWorkflow', description: 'A workflow that was saved.' },
);

/** What others need of a workflow to decide about it. */
export const workflowIdentity = {
  name: 'workflow',
  rights: {
    code: ['flow'],
    place: async (_db: ContentDb, { id }: { readonly id: number }) => ({ workflow: id }),
  },
} as const;

/** A graph of nodes that runs (Data, Automation and Operations, "Workflow"). */
export function workflowKind({
  definitions,
  factsOf,
  hasCollection,
  forgetRuns,
}: WorkflowKindDeps): WorkflowKind {
  const present = async (state: StoredWorkflow) => ({ ...state, ...(await factsOf(state.id)) });
  const checked = (sent: FlowInput) => checkFlow(sent, definitions);
  return {
    ...workflowIdentity,
    path: '/workflows',
    noun: 'a workflow',
    about: 'Graphs of nodes that run by hand, on schedules, at HTTP inputs and after changes.',
    schemas: {
      create: WorkflowCreate,
      update: WorkflowUpdate,
      answer: Workflow,
      saved: SavedWorkflow,
    },
    errors: { create: errors, update: errors },
    list: {
      summary: 'List workflows',
      entry: Workflow,
      read: async (db) => Promise.all((await listWorkflows(db)).map(present)),
    },
    // Answers tell of runs, which are no change of content.
    countsVisits: true,
    find: (db, id) => store.workflows.find(db, id),
    faultsIn: (_db, { name, flow }) =>
      collectFaults([
        () => name !== undefined && requireText('name', name),
        () => flow !== undefined && checked(flow),
      ]),
    async create({ tx, now }, { name, description = '', enabled = true, flow: sent }) {
      const flow = sent === undefined ? { nodes: [], wires: [] } : checked(sent);
      const stored = { name, description, enabled, created_at: now, updated_at: now, flow };
      const state = { id: await store.workflows.insert(tx, stored), ...stored };
      await keepInputs(tx, state);
      return state;
    },
    async merge(_change, before, { name, description, enabled, flow }) {
      return {
        ...before,
        name: name ?? before.name,
        description: description ?? before.description,
        enabled: enabled ?? before.enabled,
        flow: flow === undefined ? before.flow : checked(flow),
      };
    },
    async write({ tx }, after) {
      await store.workflows.update(tx, after);
      await keepInputs(tx, after);
      return after;
    },
    async remove({ tx }, { id }) {
      await store.workflows.remove(tx, id);
    },
    namesOf: ({ name }) => ({ name }),
    present,
    texts: ({ flow }) => codeIn(flow),
    moreWarnings: ({ flow }) => listFindings(flow, definitions),
    warningsAfter: (db, _before, { flow }) => listMissingCollections(flow, (slug) => hasCollection(db, slug)),
    refersTo: ({ flow }) => {
      const text = JSON.stringify(flow);
      const named = [...referencesIn(flow), ...dataReferencesIn(text)];
      return { flow: [...uniqueReferences(named), ...mediaReferencesIn(text)] };
    },
    naming: ({ flow }, visit) => ({ flow: flowWithNames(flow, visit) }),
    revisions: {
      kind: 'workflow',
      restore: async (_db, _current, { flow, description }) => ({
        ...(flow === undefined ? {} : { flow: { nodes: [...flow.nodes], wires: [...flow.wires] } }),
        ...(description === undefined ? {} : { description }),
      }),
    },
    batch: { ops: ['create', 'update', 'delete'], idFields: [] },
    trash: {
      beforeRestore: prepareWorkflow,
      afterRestore: (change, id) => keepRestoredInputs(change, id),
      forget({ after }, deleted) {
        for (const { id } of deleted('workflows')) after(() => forgetRuns(Number(id)));
      },
    },
    tables: ['workflows'],
    bundle: { derive: deriveInputs, names: { flow: 'flow' } },
  };
}

/** @throws ApiError 409 `trash.nameTaken` if another active workflow answers at an address of one that comes back */
async function prepareWorkflow(
  { tx }: Change,
  { id, enabled, flow }: StoredWorkflow,
  names: RestoredNames,
): Promise<RowEdits> {
  const nodes = [...flow.nodes];
  for (const { node, method } of enabled ? listInputKeys(flow) : []) {
    const input = nodes[node];
    if (input === undefined) continue;
    const path = await names.claim(addressOf(tx, input, method));
    nodes[node] = { ...input, config: { ...input.config, path } };
  }
  const restored = JSON.stringify({ ...flow, nodes });
  return {
    workflows: (row) => (row['id'] === id ? { ...row, flow: restored } : row),
    // They are made of the flow when it is back.
    workflow_inputs: (row) => (row['workflow_id'] === id ? undefined : row),
  };
}

function addressOf(
  db: ContentDb,
  { config }: Pick<Flow['nodes'][number], 'config'>,
  method: string,
): RestoredName {
  const name = String(config['path']);
  return {
    what: 'address',
    name,
    async findHolder(path) {
      for (const other of await store.inputsOfShape(db, computePathShape(parseInputPath(path))))
        if (sharesMethod(other.method, method)) return { kind: 'workflow', id: other.workflow_id };
      return undefined;
    },
    next: (number) => renameInputPath(name, number),
  };
}

/** Another path of the same form: the last part that is no placeholder gets a number. */
function renameInputPath(path: string, number: number): string {
  const parts = path.split('/');
  const place = parts.findLastIndex((part) => part.trim() !== '' && !part.includes('{'));
  if (place < 0) return `/${number}${path.startsWith('/') ? '' : '/'}${path}`;
  return parts.map((part, index) => (index === place ? `${part.trimEnd()}-${number}` : part)).join('/');
}

async function keepRestoredInputs({ tx }: Change, id: number): Promise<void> {
  const workflow = await store.workflows.find(tx, id);
  if (workflow !== undefined) await keepInputs(tx, workflow);
}

/** Names of the workflows with a custom node. @param key of the node */
export async function namesUsing(db: ContentDb, key: string): Promise<string[]> {
  const uses = ({ flow }: StoredWorkflow) =>
    flow.nodes.some(({ type, config }) => type === 'custom' && config['node'] === key);
  return (await listWorkflows(db)).filter(uses).map(({ name }) => name);
}

async function listWorkflows(db: ContentDb): Promise<StoredWorkflow[]> {
  const all = await store.workflows.list(db);
  return all.sort((left, right) => compareIgnoringCase(left.name, right.name) || left.id - right.id);
}

/** @throws ApiError 409 `workflow.pathTaken` if another active workflow answers the same requests */
async function keepInputs(db: ContentDb, { id, enabled, flow }: StoredWorkflow): Promise<void> {
  const inputs = enabled ? listInputKeys(flow) : [];
  for (const { node, method, shape } of inputs) {
    for (const other of await store.inputsOfShape(db, shape)) {
      if (other.workflow_id === id || !sharesMethod(other.method, method)) continue;
      const owner = await store.workflows.find(db, other.workflow_id);
      const path = String(flow.nodes[node]?.config['path']);
      throw apiError('workflow.pathTaken', { method, path, workflow: owner?.name ?? '' });
    }
  }
  await store.replaceInputs(db, id, inputs);
}

/** The inputs of all workflows, which nothing has checked: those of a bundle had no conflict where it comes from. */
async function deriveInputs(db: ContentDb): Promise<void> {
  for (const { id, enabled, flow } of await store.workflows.list(db))
    await store.replaceInputs(db, id, enabled ? listInputKeys(flow) : []);
}

/** The code of function nodes. */
function codeIn({ nodes }: Flow): CheckedText[] {
  return nodes.flatMap(({ id, name, type, config }) => {
    const source = nodeTypes.get(type)?.code?.(config);
    return source === undefined ? [] : [{ language: 'function', field: id, name: name || id, source }];
  });
}

/** The collections and custom nodes that a flow names. */
function referencesIn({ nodes }: Flow): Reference[] {
  return nodes.flatMap(({ type, config: { collection, node } }): Reference[] => {
    if ((type === 'collection' || type === 'event') && typeof collection === 'string')
      return [{ kind: 'collection', key: collection }];
    return type === 'custom' && typeof node === 'string' ? [{ kind: 'flow_node', key: node }] : [];
  });
}

function uniqueReferences(named: readonly Reference[]): Reference[] {
  return named.filter(
    (reference, index) => named.findIndex((other) => isDeepStrictEqual(other, reference)) === index,
  );
}

/** A flow with what `visit` answers in place of the texts in the settings of its nodes. */
function flowWithNames({ nodes, wires }: Flow, visit: NamingVisitor): Flow {
  return {
    nodes: nodes.map((node) => {
      const { id, name, type, config } = node;
      const namesCollection = type === 'collection' || type === 'event';
      const mapped = Object.entries(config).map(([field, value]) => {
        const holds = namesCollection && field === 'collection' ? 'slug' : 'text';
        return [field, mapTexts(value, (source) => visit({ field, name: name || id, source, holds }))];
      });
      return { ...node, config: Object.fromEntries(mapped) };
    }),
    wires: [...wires],
  };
}

function mapTexts(value: unknown, visit: (text: string) => string): unknown {
  if (typeof value === 'string') return visit(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, visit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mapTexts(entry, visit)]));
}

/** @throws ApiError `common.invalid` for a flow with faults, `workflow.unknownNodeType` */
export function checkFlow(sent: FlowInput, definitions: FlowNodeDefinitions): Flow {
  const flow = completeFlow(sent);
  const faults = faultsInFlow(flow, definitions);
  if (faults.length > 0) throw invalidFields(faults);
  return flow;
}
