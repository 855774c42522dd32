/**
 * Finds parts of a template with a layout that never show: blocks that no layout has, and content outside of
 * blocks.
 */
import type { Node, Text } from '../../grammar/ast.ts';
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import { listBodies } from '../walk.ts';
import { layoutsAbove } from './layouts.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

export function reportBlocks(subject: CheckedTemplate): void {
  const { body } = subject.template;
  if (!body.some(({ type }) => type === 'Extends')) return;
  const { layouts, isComplete } = layoutsAbove(subject);
  const known = isComplete ? new Set(layouts.flatMap(({ blocks }) => blocks)) : undefined;
  searchOutside(body, known, subject);
}

/** Tags that work outside of blocks: the layout runs after them, or other templates render a partial alone. */
const working: ReadonlySet<Node['type']> = new Set(['Extends', 'Set', 'Import', 'Macro', 'Partial']);

/** Tags around blocks. The blocks count, wherever they stand. */
const enclosing: ReadonlySet<Node['type']> = new Set([
  'If',
  'For',
  'With',
  'Autoescape',
  'Spaceless',
  'FilterBlock',
  'IfChanged',
  'Cache',
]);

/** @param known the blocks of all layouts; undefined if these are not certain */
function searchOutside(
  nodes: readonly Node[],
  known: ReadonlySet<string> | undefined,
  subject: CheckedTemplate,
): void {
  let isReported = false;
  for (const node of nodes) {
    if (node.type === 'Block') {
      if (known !== undefined && !known.has(node.name)) reportBlock(node.name, node.start, known, subject);
      // Content after a block is reported again: it is another piece.
      isReported = false;
    } else if (enclosing.has(node.type)) {
      for (const body of listBodies(node)) searchOutside(body, known, subject);
    } else if (!isReported && isIgnored(node)) {
      reportIgnored(node, subject);
      isReported = true;
    }
  }
}

function isIgnored(node: Node): boolean {
  return node.type === 'Text' ? textStart(node) !== undefined : !working.has(node.type);
}

/** Where the first character stands that a reader would see; undefined in white space and HTML comments. */
function textStart({ value }: Text): number | undefined {
  const start = value.replace(/<!--[\s\S]*?-->/g, (comment) => ' '.repeat(comment.length)).search(/\S/);
  return start < 0 ? undefined : start;
}

function reportBlock(
  name: string,
  offset: number,
  known: ReadonlySet<string>,
  { report }: CheckedTemplate,
): void {
  report(offset, 'template.unknownBlock', () => {
    const suggestion = nearest(name, known);
    const reason = `no layout has a block "${name}", so it never shows${asQuestion(suggestion)}`;
    return { reason, params: withSuggestion({ name }, suggestion) };
  });
}

function reportIgnored(node: Node, { template, report }: CheckedTemplate): void {
  const start = node.start + (node.type === 'Text' ? (textStart(node) ?? 0) : 0);
  report(start, 'template.ignoredText', () => ({
    reason: 'this never shows: a template with a layout shows only its blocks',
    params: { name: template.source.slice(start, Math.min(node.end, start + 40)).split(/[\r\n]/)[0] ?? '' },
  }));
}
