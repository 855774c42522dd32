import { apiError } from '../../../base/errors.ts';
import { compareIgnoringCase } from '../../../base/text.ts';
import type { Kind } from '../../../content/kinds/kind.ts';
import { dataReferencesIn, mediaReferencesIn } from '../../../content/kinds/references.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { FlowNode, FlowNodeCreate, type FlowNodeParam, FlowNodeUpdate } from './model.ts';
import { findDefinitionFaults, keyFrom } from './rules.ts';
import * as store from './store.ts';

/** Names of the workflows that use a custom node. @param key of the node */
export type UsedBy = (db: ContentDb, key: string) => Promise<readonly string[]>;

/** The kind of custom nodes. */
export type FlowNodeKind = Kind<FlowNode, typeof FlowNodeCreate, typeof FlowNodeUpdate>;

/**
 * A node of workflows that is written by authors (Data, Automation and Operations, "Custom node definition").
 * Its endpoints that save look at the code first, see routes.ts.
 */
export function flowNodeKind(usedBy: UsedBy): FlowNodeKind {
  return {
    name: 'flow_node',
    path: '/flow-nodes',
    noun: 'a custom node',
    about: 'Nodes of workflows that are written by authors.',
    schemas: { create: FlowNodeCreate, update: FlowNodeUpdate, answer: FlowNode },
    list: { summary: 'List custom nodes', entry: FlowNode, read: listFlowNodes },
    endpoints: ['list', 'get', 'delete'],
    find: store.flowNodes.find,
    faultsIn: (_db, sent, before) => findDefinitionFaults(sent, before),
    async create({ tx, now }, { key, name, ...sent }) {
      const stored = {
        key: await freeKey(tx, key, name),
        name,
        ...emptyFields,
        ...changedFields(sent),
        created_at: now,
        updated_at: now,
      };
      return { id: await store.flowNodes.insert(tx, stored), ...stored };
    },
    async merge(_change, before, body) {
      return { ...before, ...changedFields(body) };
    },
    async write({ tx }, after) {
      await store.flowNodes.update(tx, after);
      return after;
    },
    async remove({ tx }, { id, key }) {
      const workflows = await usedBy(tx, key);
      if (workflows.length > 0)
        throw apiError('flownode.inUse', { key, workflows: workflows.slice(0, maxShown) });
      await store.flowNodes.remove(tx, id);
    },
    rights: { code: 'all' },
    namesOf: ({ name }) => ({ name }),
    revisions: { kind: 'flownode', restore: async (_db, _current, stored) => changedFields(stored) },
    refersTo: ({ code }) => ({ code: [...mediaReferencesIn(code), ...dataReferencesIn(code)] }),
    naming: ({ code }, visit) => ({ code: visit({ field: 'code', source: code, holds: 'text' }) }),
    usage: {
      targets: async (_db, { key }) => [{ kind: 'flow_node', key }],
      isRefusedByKind: true,
    },
    batch: { ops: ['create', 'update', 'delete'], idFields: [] },
    trash: {
      async beforeRestore({ tx }, { key }, names) {
        await names.claim({
          what: 'key',
          name: key,
          async findHolder(wanted) {
            const id = await store.findIdByKey(tx, wanted);
            return id === undefined ? undefined : { kind: 'flow_node', id };
          },
        });
        return undefined;
      },
    },
    tables: ['flow_nodes'],
  };
}

/** Most workflows that an error lists. */
const maxShown = 100;

const emptyFields = { description: '', color: '', inputs: 1, outputs: [''], params: [], code: '' };

/** All custom nodes, by name. */
async function listFlowNodes(db: ContentDb): Promise<FlowNode[]> {
  const all = await store.flowNodes.list(db);
  return all.sort((left, right) => compareIgnoringCase(left.name, right.name));
}

/** The key of a new node. @throws ApiError `flownode.keyTaken` */
async function freeKey(db: ContentDb, key: string | undefined, name: string): Promise<string> {
  const taken = new Set(await store.listKeys(db));
  if (key === undefined || key === '') return keyFrom(name, taken);
  if (taken.has(key)) throw apiError('flownode.keyTaken', { key });
  return key;
}

/** The fields that a save may change, those that are left out too. */
function changedFields({
  name,
  description,
  color,
  inputs,
  outputs,
  params,
  code,
}: FlowNodeUpdate): Omit<FlowNodeUpdate, 'base_updated_at'> {
  const sent = { name, description, color, inputs, outputs, params: params?.map(knownFields), code };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

/** A parameter without fields that none has. */
function knownFields(param: FlowNodeParam): FlowNodeParam {
  const { name, label, type, options, default: value, help } = param;
  return {
    name,
    ...(label === undefined ? {} : { label }),
    type,
    ...(options === undefined ? {} : { options }),
    ...(value === undefined ? {} : { default: value }),
    ...(help === undefined ? {} : { help }),
  };
}
