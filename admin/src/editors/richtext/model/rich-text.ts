/** A value as a document, and changed documents as values. */
import type { Node } from 'prosemirror-model';
import { readHtml } from './html-read.ts';
import { writeHtmlDocument } from './html-write.ts';
import { readMarkdown } from './markdown-read.ts';
import { writeMarkdownDocument } from './markdown-write.ts';
import type { Sequence } from './parts.ts';
import { type Format, schemas } from './schema.ts';

export interface RichText {
  readonly doc: Node;
  /** The value of a document that `doc` has become. What was not touched is as in the value that was read. */
  write(doc: Node): string;
  /** Nothing of the value can be edited but its source. */
  readonly isOpaque: boolean;
  /** Some of it can only be edited as source. */
  readonly hasPieces: boolean;
}

export function readRichText(value: string, format: Format): RichText {
  if (format === 'html') {
    const sequence = readHtml(value);
    return createRichText(value, sequence, format, (doc) => writeHtmlDocument(doc, sequence));
  }
  const reading = readMarkdown(value);
  return createRichText(value, reading.sequence, format, (doc) => writeMarkdownDocument(doc, reading));
}

function createRichText(
  value: string,
  { parts }: Sequence,
  format: Format,
  write: (doc: Node) => string,
): RichText {
  const schema = schemas[format];
  const nodes = parts.map(({ node }) => node);
  const empty = schema.node('paragraph', { isBare: false });
  const doc = schema.node('doc', null, nodes.length === 0 ? [empty] : nodes);
  const isOpaque = nodes.length > 0 && nodes.every(({ type }) => type.name === 'raw_block');
  let hasPieces = false;
  doc.descendants(({ type }) => {
    hasPieces ||= type.name === 'raw_block' || type.name === 'raw_inline';
  });
  return {
    doc,
    isOpaque,
    hasPieces,
    write: (changed) => (changed.eq(doc) ? value : isEmpty(changed) ? '' : write(changed)),
  };
}

/** What is left when everything is deleted. */
function isEmpty({ childCount, firstChild }: Node): boolean {
  return childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0;
}
