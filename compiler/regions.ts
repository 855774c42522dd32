/**
 * Collects the regions of a page, in order of rendering: those of its text, of its layouts, and of the templates that
 * it includes by name. Regions in a block that the page replaces are collected too, as the page may show them again.
 */
import type {
  Block,
  Component,
  Expression,
  Include,
  Node,
  Region,
  Template,
  TemplateRef,
} from '../grammar/ast.ts';
import { splitName } from '../grammar/names.ts';
import { isName } from './content-reads.ts';
import type { Facts } from './facts.ts';
import { listLiteralTexts } from './literal-texts.ts';
import { findConstantDefault, type RegionDefinition, readRegionDefinition } from './region-definition.ts';
import { RegionReach, type RegionTemplates } from './region-reach.ts';
import { listBodies, listExpressions, walkExpression, walkNodes } from './walk.ts';

/** A region of a page. */
export interface PageRegion extends RegionDefinition {
  /** Its words without those of the page; null if each render computes them. */
  readonly default: string | null;
  /** The snippet that holds the tag; undefined if the text itself does. */
  readonly snippet: string | undefined;
  /** The tag of the text that leads to the region: the region itself, `include` or `extends`. */
  readonly offset: number;
  /** Whether it stands in a block that another definition replaces. */
  readonly isReplaced: boolean;
}

/** Why editors cannot fill a region as its author meant. */
export type RegionProblem = 'taken' | 'invalid' | 'repeated';

/** @param reason why, if it does not follow from the problem */
export type ReportRegion = (problem: RegionProblem, offset: number, name: string, reason?: string) => void;

/** The regions of a text, each name once. Problems are reported at tags of the text. */
export function collectRegions(
  template: Template,
  facts: Facts,
  templates: RegionTemplates,
  report: ReportRegion = () => {},
): readonly PageRegion[] {
  const reach = new RegionReach(templates);
  if (!reach.mayHaveRegions(facts)) return [];
  return new RegionWalk(templates, reach, report).collect(template);
}

/** Tags visited for one text. A block may show the one that it replaces twice, and so on. */
const maxVisited = 100_000;

/** Where the walk is. */
interface Place {
  /** The snippet that holds the nodes; undefined for the text itself. */
  readonly snippet: string | undefined;
  /** The tag of the text that led here; undefined in the text itself. */
  readonly offset: number | undefined;
  /** Names of the templates around, to end circles. */
  readonly around: readonly string[];
  /** Definitions of blocks by templates below, most derived first. */
  readonly blocks: ReadonlyMap<string, readonly BlockDefinition[]>;
  readonly isReplaced: boolean;
  /** Whether a computed name led here: then the regions are none of the page. */
  readonly isComputed: boolean;
  /** Whether a loop, a component or a macro is around; `text` if it stands in the text itself. */
  readonly repeated: Cause;
  readonly invalid: Cause;
  /** Walks the definition that the current block replaces. */
  readonly showReplaced: (() => void) | undefined;
}

type Cause = 'text' | 'other' | undefined;

interface BlockDefinition extends Pick<Place, 'snippet' | 'offset'> {
  readonly node: Block;
}

const noBlocks: Place['blocks'] = new Map();

class RegionWalk {
  readonly #templates: RegionTemplates;
  readonly #reach: RegionReach;
  readonly #report: ReportRegion;
  readonly #found = new Map<string, PageRegion>();
  readonly #walkedBlocks = new Set<Block>();
  #visited = 0;

  constructor(templates: RegionTemplates, reach: RegionReach, report: ReportRegion) {
    this.#templates = templates;
    this.#reach = reach;
    this.#report = report;
  }

  collect(template: Template): readonly PageRegion[] {
    this.#template(template, {
      snippet: undefined,
      offset: undefined,
      around: [template.name],
      blocks: noBlocks,
      isReplaced: false,
      isComputed: false,
      repeated: undefined,
      invalid: undefined,
      showReplaced: undefined,
    });
    return [...this.#found.values()];
  }

  #template(template: Template, place: Place): void {
    const extended = template.body.find((node) => node.type === 'Extends');
    if (extended === undefined) {
      this.#nodes(template.body, place);
      return;
    }
    const own = blocksIn(template, place);
    const layout = extended.template.kind === 'expression' ? undefined : extended.template.name;
    const tree =
      layout === undefined || place.around.includes(layout) ? undefined : this.#templates.treeOf(layout);
    if (layout === undefined || tree === undefined) {
      // Any of the blocks may show.
      this.#ownBlocks(own, place);
      return;
    }
    const blocks = new Map(place.blocks);
    for (const [name, definition] of own) blocks.set(name, [...(blocks.get(name) ?? []), definition]);
    this.#template(tree, { ...this.#inside(layout, extended.start, place), blocks });
    this.#ownBlocks(own, { ...place, isReplaced: true });
  }

  /** The blocks that were not walked yet. */
  #ownBlocks(own: ReadonlyMap<string, BlockDefinition>, place: Place): void {
    for (const { node } of own.values()) if (!this.#walkedBlocks.has(node)) this.#block(node, place);
  }

  #nodes(nodes: readonly Node[], place: Place): void {
    for (const node of nodes) {
      if (node.type === 'Text') continue;
      this.#visited += 1;
      if (this.#visited > maxVisited) return;
      this.#node(node, place);
    }
  }

  #node(node: Node, place: Place): void {
    const { showReplaced } = place;
    if (showReplaced !== undefined) {
      for (const expression of listExpressions(node))
        walkExpression(expression, (part) => {
          if (isSuper(part)) showReplaced();
        });
    }
    switch (node.type) {
      case 'Region':
        this.#region(node, place);
        this.#nodes(node.body, place);
        return;
      case 'Block':
        this.#block(node, place);
        return;
      case 'For':
        this.#nodes(node.body, { ...place, repeated: place.repeated ?? causeIn(place) });
        this.#nodes(node.empty ?? [], place);
        return;
      case 'Macro':
        this.#nodes(node.body, { ...place, invalid: place.invalid ?? causeIn(place) });
        return;
      case 'Component': {
        const inside = { ...place, invalid: place.invalid ?? causeIn(place) };
        for (const { body } of node.fills) this.#nodes(body, inside);
        this.#named(node, inside);
        return;
      }
      case 'Include':
        this.#named(node, place);
        return;
      default:
        for (const body of listBodies(node)) this.#nodes(body, place);
    }
  }

  #named({ template, start }: Include | Component, place: Place): void {
    const isComputed = template.kind === 'expression';
    const outer = isComputed ? { ...place, isComputed, repeated: place.repeated ?? causeIn(place) } : place;
    for (const name of namesOf(template)) {
      if (place.around.includes(name) || !this.#reach.leadsToRegions(name)) continue;
      const tree = this.#templates.treeOf(name);
      if (tree === undefined) continue;
      this.#template(tree, {
        ...this.#inside(name, start, outer),
        blocks: noBlocks,
        showReplaced: undefined,
      });
    }
  }

  #inside(name: string, start: number, place: Place): Place {
    return {
      ...place,
      snippet: splitName(name).template,
      offset: place.offset ?? start,
      around: [...place.around, name],
    };
  }

  /** The most derived definition shows, then those that it replaces. */
  #block(node: Block, place: Place): void {
    const { snippet, offset, blocks } = place;
    const known = blocks.get(node.name) ?? [];
    const isKnown = known.some((definition) => definition.node === node);
    this.#definition(isKnown ? known : [...known, { node, snippet, offset }], 0, place);
  }

  #definition(definitions: readonly BlockDefinition[], index: number, place: Place): void {
    const definition = definitions[index];
    if (definition === undefined || this.#visited > maxVisited) return;
    const { node, snippet, offset } = definition;
    this.#walkedBlocks.add(node);
    let isShown = false;
    const showReplaced = () => {
      isShown = true;
      this.#definition(definitions, index + 1, place);
    };
    const hasReplaced = index + 1 < definitions.length;
    this.#nodes(node.body, {
      ...place,
      snippet,
      offset,
      showReplaced: hasReplaced ? showReplaced : undefined,
    });
    if (!isShown) this.#definition(definitions, index + 1, { ...place, isReplaced: true });
  }

  #region(node: Region, place: Place): void {
    const { snippet, isReplaced } = place;
    const offset = place.offset ?? node.start;
    const { definition, fault } = readRegionDefinition(node);
    if (fault !== undefined) {
      if (place.offset === undefined) this.#report('invalid', fault.offset, node.name, fault.reason);
      return;
    }
    const { name } = definition;
    const concerns = (cause: Cause) =>
      cause !== undefined && (place.offset === undefined || cause === 'text');
    if (place.invalid !== undefined) {
      if (concerns(place.invalid)) this.#report('invalid', offset, name);
      return;
    }
    if (concerns(place.repeated)) this.#report('repeated', offset, name);
    if (place.isComputed) return;
    const known = this.#found.get(name);
    if (known !== undefined && !known.isReplaced) {
      // Two regions behind one tag are a fault of the template that it names.
      if (!isReplaced && (place.offset === undefined || known.offset !== offset))
        this.#report('taken', offset, name);
      return;
    }
    if (known !== undefined && isReplaced) return;
    this.#found.delete(name);
    this.#found.set(name, {
      ...definition,
      default: findConstantDefault(node.body),
      snippet,
      offset,
      isReplaced,
    });
  }
}

/** A tag counts as a cause in the text itself if it stands there. */
function causeIn({ offset }: Place): Cause {
  return offset === undefined ? 'text' : 'other';
}

/** The first definition of each block, wherever it stands. */
function blocksIn({ body }: Template, { snippet, offset }: Place): ReadonlyMap<string, BlockDefinition> {
  const blocks = new Map<string, BlockDefinition>();
  walkNodes(body, (node) => {
    if (node.type === 'Block' && !blocks.has(node.name)) blocks.set(node.name, { node, snippet, offset });
  });
  return blocks;
}

/** The names that a tag may lead to, as far as they are written in it. */
function namesOf(template: TemplateRef): readonly string[] {
  return template.kind === 'expression' ? listLiteralTexts(template.value) : [template.name];
}

function isSuper(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'super' && isName(expression.object, 'block');
}
