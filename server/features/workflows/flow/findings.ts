/** What a flow that may be saved will not do as its author expects, at the nodes. */

import { asQuestion, nearest } from '../../../../grammar/suggest.ts';
import { findUnknownFields } from '../../../api/validate.ts';
import { leveled, type Warning, type WarningCode } from '../../../base/warnings.ts';
import type { FlowNodeDefinitions } from '../custom-nodes/model.ts';
import { listUnknownPlaceholders } from '../message/placeholders.ts';
import type { Flow } from '../model.ts';
import { nodeTypes } from '../nodes/index.ts';
import type { NodeType } from '../nodes/node-type.ts';

type FlowNode = Flow['nodes'][number];

/** What can be told of a flow without asking for other objects, in the order of its nodes. */
export function listFindings(flow: Flow, definitions: FlowNodeDefinitions): Warning[] {
  const reached = findReached(flow, definitions);
  return flow.nodes.flatMap((node) => {
    const type = nodeTypes.get(node.type);
    if (type === undefined) return [];
    return [
      ...listUnknownSettings(node, type, definitions),
      ...listPlaceholderFindings(node, type),
      ...listStartFindings(node, type),
      ...(reached.has(node.id)
        ? []
        : [finding('workflow.nodeUnreachable', node, 'no start node leads to it')]),
    ];
  });
}

/** The nodes that name a collection which is not there. @param isThere whether there is a collection of a slug */
export async function listMissingCollections(
  { nodes }: Flow,
  isThere: (slug: string) => Promise<boolean>,
): Promise<Warning[]> {
  const findings: Warning[] = [];
  for (const node of nodes) {
    const { collection } = node.config;
    if (!(node.type === 'collection' || node.type === 'event') || typeof collection !== 'string') continue;
    if (await isThere(collection)) continue;
    const text = `there is no collection ${JSON.stringify(collection)}`;
    findings.push(finding('workflow.collectionMissing', node, text, { field: 'collection', collection }));
  }
  return findings;
}

/** The IDs of the nodes that some start node leads to, itself included. */
function findReached({ nodes, wires }: Flow, definitions: FlowNodeDefinitions): ReadonlySet<string> {
  const waiting = nodes
    .filter(({ type, config }) => nodeTypes.get(type)?.isStart?.(config, definitions) === true)
    .map(({ id }) => id);
  const targets = Map.groupBy(wires, ({ from }) => from);
  const reached = new Set<string>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(targets.get(id) ?? []).map(({ to }) => to));
  }
  return reached;
}

function listUnknownSettings(node: FlowNode, type: NodeType, definitions: FlowNodeDefinitions): Warning[] {
  const unknown = [...findUnknownFields([type.config], node.config), ...listUnknownParams(node, definitions)];
  return unknown.map(({ field, suggestion }) => {
    const text = `the setting "${field}" is unknown${asQuestion(suggestion)}`;
    const params = suggestion === undefined ? { field } : { field, suggestion };
    return finding('workflow.settingUnknown', node, text, params);
  });
}

/** Parameters that the definition of a custom node does not have. */
function listUnknownParams({ type, config }: FlowNode, definitions: FlowNodeDefinitions) {
  const definition = type === 'custom' ? definitions.find(String(config['node'])) : undefined;
  if (definition === undefined) return [];
  const names = definition.params.map(({ name }) => name);
  return Object.keys(Object(config['params']))
    .filter((name) => !names.includes(name))
    .map((name) => {
      const suggestion = nearest(name, names);
      return { field: `params.${name}`, ...(suggestion === undefined ? {} : { suggestion }) };
    });
}

/** Placeholders of page templates look alike, but settings know only `msg` and `secret`. */
function listPlaceholderFindings(node: FlowNode, { placeholders }: NodeType): Warning[] {
  if (placeholders === undefined) return [];
  const { settings, withSecrets = false } = placeholders;
  return settings.flatMap((field) =>
    listTexts(node.config[field], field).flatMap(({ at, text }) =>
      listUnknownPlaceholders(text, withSecrets).map((placeholder) => {
        const expected = withSecrets ? '{{ msg.… }} or {{ secret.NAME }}' : '{{ msg.… }}';
        const message = `${placeholder} stays as it is in "${at}", write ${expected}`;
        return finding('workflow.placeholderUnknown', node, message, { field: at, placeholder });
      }),
    ),
  );
}

/** The texts in a value, each with its dotted path. */
function listTexts(value: unknown, at: string): { readonly at: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ at, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => listTexts(inner, `${at}.${name}`));
}

function listStartFindings(node: FlowNode, type: NodeType): Warning[] {
  const trigger = type.trigger?.(node.config);
  if (trigger?.kind !== 'event' || trigger.actions.length > 0) return [];
  const text = 'it starts at no event: choose created, updated or deleted';
  return [finding('workflow.eventMissing', node, text)];
}

/** A finding at a node, which its text names. */
function finding(
  code: WarningCode,
  { id, name }: FlowNode,
  text: string,
  params: Readonly<Record<string, string>> = {},
): Warning {
  return leveled({ code, error: `node "${name || id}": ${text}`, params: { node: id, ...params } });
}
