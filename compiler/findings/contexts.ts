/**
 * Finds values that HTML escaping does not make harmless: in scripts, in attributes without quotes, as
 * attributes, as addresses that may be `javascript:`. Escaping does not change; the author gets a finding.
 *
 * Reads the text of the template, of its layouts, and of snippets that it includes in the middle of a tag or
 * script. The templates that include this one are not known: its text counts as the content of an element.
 */
import type { Expression, Include, Node, Region, Template } from '../../grammar/ast.ts';
import { readRegionDefinition } from '../region-definition.ts';
import { listBodies } from '../walk.ts';
import { type HtmlState, joinStates, readHtml, textState } from './html.ts';
import {
  bindAssigned,
  createBodyKindScope,
  createRootKindScope,
  inferKind,
  KindScope,
  type Signatures,
} from './kinds.ts';
import { findUnsafePlace, isSafeAt, type UnsafePlace } from './places.ts';
import { formatReason } from './reasons.ts';
import type { CheckedTemplate } from './report.ts';

/** @param snippet the snippet that holds the value, if a snippet is included at the offset */
type ReportPlace = (offset: number, place: UnsafePlace, snippet?: string) => void;

/** The tree of another template; undefined if there is none or it has mistakes. */
type TreeOf = (name: string) => Template | undefined;

export function reportContexts(subject: CheckedTemplate): void {
  const { template, options, world, others, report: reportFinding } = subject;
  const treeOf: TreeOf = (name) => others.treeOf(name);
  const report: ReportPlace = (offset, place, snippet) =>
    reportFinding(offset, 'template.unsafeContext', () => ({
      reason: formatReason(place, snippet),
      params: { ...place },
    }));
  const signatures: Signatures = { ...options, linkOf: world.linkOf };
  const shared = { treeOf, signatures, including: [], left: { characters: maxIncluded } };
  const blocks = layoutBlocks(template, { ...shared, report: () => {} }, new Set());
  readTemplate(template, { ...shared, blocks, report });
}

/** Limit of characters of included snippets that are read for one template. */
const maxIncluded = 2 * 2 ** 20;

interface Reading {
  /** HTML state at the blocks of the layouts. Blocks of the template itself are added while it is read. */
  readonly blocks: Map<string, HtmlState>;
  readonly signatures: Signatures;
  readonly treeOf: TreeOf;
  readonly report: ReportPlace;
  /** The snippets that are being read, outermost first. */
  readonly including: readonly string[];
  readonly left: { characters: number };
}

/** HTML state at the blocks of the layouts above a template. */
function layoutBlocks(
  template: Template,
  reading: Omit<Reading, 'blocks'>,
  seen: Set<string>,
): Map<string, HtmlState> {
  const name = layoutOf(template);
  const layout = name === undefined || seen.has(name) ? undefined : reading.treeOf(name);
  if (name === undefined || layout === undefined) return new Map();
  seen.add(name);
  const blocks = layoutBlocks(layout, reading, seen);
  readTemplate(layout, { ...reading, blocks });
  return blocks;
}

function layoutOf({ body }: Template): string | undefined {
  for (const node of body) {
    if (node.type === 'Extends' && node.template.kind !== 'expression') return node.template.name;
  }
  return undefined;
}

function readTemplate(template: Template, reading: Reading): void {
  if (hasLayout(template)) readBlocks(template.body, reading);
  else readBody(template.body, textState, createRootKindScope(), reading);
}

function hasLayout({ body }: Template): boolean {
  return body.some((node) => node.type === 'Extends');
}

/** A template with a layout outputs only blocks and macros. A block begins with the state at its outlet. */
function readBlocks(nodes: readonly Node[], reading: Reading): void {
  for (const node of nodes) {
    if (node.type === 'Block') {
      readBody(node.body, reading.blocks.get(node.name) ?? textState, createRootKindScope(), reading);
    } else if (node.type === 'Macro') {
      readNode(node, textState, createRootKindScope(), reading);
    } else {
      for (const body of listBodies(node)) readBlocks(body, reading);
    }
  }
}

function readBody(nodes: readonly Node[], start: HtmlState, known: KindScope, reading: Reading): HtmlState {
  let state = start;
  for (const node of nodes) {
    state = readNode(node, state, known, reading);
    bindAssigned(node, known, reading.signatures);
  }
  return state;
}

/** The state after a node. */
function readNode(node: Node, state: HtmlState, known: KindScope, reading: Reading): HtmlState {
  const inside = () => createBodyKindScope(node, known, reading.signatures);
  const read = (body: readonly Node[], start = state) => readBody(body, start, inside(), reading);
  switch (node.type) {
    case 'Text':
      return readHtml(state, node.value);
    case 'Output':
      return readValues([node.value], state, known, reading);
    case 'FirstOf':
      return node.as === undefined ? readValues(node.values, state, known, reading) : state;
    case 'Cycle':
      return node.silent ? state : readValues(node.values, state, known, reading);
    case 'If':
      return joinStates([
        ...node.branches.map((branch) => read(branch.body)),
        node.otherwise ? read(node.otherwise) : state,
      ]);
    case 'For':
      return joinStates([read(node.body), node.empty ? read(node.empty) : state]);
    case 'IfChanged':
      return joinStates([read(node.body), node.otherwise ? read(node.otherwise) : state]);
    case 'Block':
      reading.blocks.set(node.name, state);
      return read(node.body);
    case 'Autoescape':
      return readBody(node.body, state, inside(), node.on ? reading : { ...reading, report: () => {} });
    case 'FilterBlock':
      // In text the tags in the body count as read. Elsewhere the result of the filter counts as one value.
      if (state.mode === 'text') return read(node.body);
      read(node.body, textState);
      return afterValue(state);
    case 'Macro':
      read(node.body, textState);
      return state;
    case 'Component':
      for (const fill of node.fills) read(fill.body, textState);
      return afterValue(state);
    case 'Include':
      return readInclude(node, state, known, reading);
    case 'With':
    case 'Spaceless':
    case 'Partial':
    case 'Cache':
      return read(listBodies(node)[0] ?? []);
    case 'Region':
      return joinStates([read(node.body), readRegion(node, state, reading)]);
    case 'Slot':
      return joinStates([read(node.fallback), afterValue(state)]);
    case 'Set':
    case 'Import':
    case 'Extends':
    case 'ResetCycle':
    case 'Regroup':
      return state;
    default:
      return 'as' in node && node.as !== undefined ? state : afterValue(state);
  }
}

/** A snippet included in text is read when it is saved itself. In a tag or script it is read here. */
function readInclude(node: Include, state: HtmlState, outer: KindScope, reading: Reading): HtmlState {
  const { template, bindings, only, start } = node;
  const { treeOf, signatures, including, left } = reading;
  if (state.mode === 'text' || template.kind === 'expression' || including.includes(template.name))
    return afterValue(state);
  const { name } = template;
  const tree = treeOf(name);
  left.characters -= tree?.source.length ?? 0;
  if (tree === undefined || hasLayout(tree) || left.characters < 0) return afterValue(state);
  const known = only ? createRootKindScope() : new KindScope(outer);
  for (const binding of bindings) known.bind(binding.name, inferKind(binding.value, outer, signatures));
  const report: ReportPlace = (_offset, place, snippet = name) => reading.report(start, place, snippet);
  return readBody(tree.body, state, known, {
    ...reading,
    blocks: new Map(),
    report,
    including: [...including, name],
  });
}

function readValues(
  values: readonly Expression[],
  state: HtmlState,
  known: KindScope,
  { signatures, report }: Reading,
): HtmlState {
  const place = findUnsafePlace(state);
  if (place !== undefined) {
    for (const value of values) {
      if (!isSafeAt(place, value, known, signatures, state.value)) report(value.start, place);
    }
  }
  return afterValue(state);
}

/** Editors may write any text into a region. The address of a link is checked when it is saved. */
function readRegion(node: Region, state: HtmlState, { report }: Reading): HtmlState {
  const place = findUnsafePlace(state);
  const { definition } = readRegionDefinition(node);
  if (place !== undefined && definition !== undefined) {
    if (place.place !== 'address' || definition.type !== 'link') report(node.start, place);
  }
  return afterValue(state);
}

/** A value may be any text. Most texts change the state as a letter does. */
function afterValue(state: HtmlState): HtmlState {
  return readHtml(state, 'x');
}
