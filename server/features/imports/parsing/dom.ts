/** What this folder needs of a parsed document besides the parser. */
import { html, type DefaultTreeAdapterTypes as Tree } from 'parse5';

export type Element = Tree.Element;
export type Node = Tree.ChildNode;
type Parent = Tree.ParentNode;

/** A document nested more deeply is refused: nobody writes one, and it would overflow the stack. */
const maxDepth = 1000;

/** All nodes below a parent in document order, those in `<template>` included. @throws Error if nested too deeply */
export function* nodesBelow(root: Parent): Generator<Node> {
  const stack: { readonly node: Node; readonly depth: number }[] = [];
  const push = (parent: Parent, depth: number): void => {
    if (depth > maxDepth) throw new Error(`elements are nested more than ${maxDepth} deep`);
    for (const node of [...parent.childNodes].reverse()) stack.push({ node, depth });
  };
  push(root, 1);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth } = next;
    yield node;
    if (isTemplate(node)) push(node.content, depth + 1);
    else if (isElement(node)) push(node, depth + 1);
  }
}

export function* elementsBelow(root: Parent): Generator<Element> {
  for (const node of nodesBelow(root)) if (isElement(node)) yield node;
}

export function isElement(node: Node | Parent): node is Element {
  return 'tagName' in node;
}

function isTemplate(node: Node): node is Tree.Template {
  return node.nodeName === 'template' && 'content' in node;
}

export function isText(node: Node): node is Tree.TextNode {
  return node.nodeName === '#text';
}

export function isComment(node: Node): node is Tree.CommentNode {
  return node.nodeName === '#comment';
}

/** Whether an element is one of HTML, not of SVG or MathML. */
export function isHtml({ namespaceURI }: Element): boolean {
  return namespaceURI === html.NS.HTML;
}

/** The text directly in an element, such as that of a script. */
export function readDirectText(element: Element): string {
  return element.childNodes.map((node) => (isText(node) ? node.value : '')).join('');
}

export function setText(element: Element, value: string): void {
  element.childNodes = [{ nodeName: '#text', value, parentNode: element }];
}

/** The value of an attribute; undefined if the element does not have it. `xlink:href` has its prefix. */
export function findAttribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => nameOf(attribute) === name)?.value;
}

/** Sets an attribute, or removes it for undefined. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  const found = element.attrs.find((attribute) => nameOf(attribute) === name);
  if (value === undefined) element.attrs = element.attrs.filter((attribute) => attribute !== found);
  else if (found === undefined) element.attrs.push({ name, value });
  else found.value = value;
}

function nameOf({ name, prefix }: Element['attrs'][number]): string {
  return prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
}

/** Removes nodes, in time that grows with their number and not with its square. */
export function removeAll(nodes: Iterable<Node>): void {
  const removed = new Set(nodes);
  const parents = new Set([...removed].map(({ parentNode }) => parentNode));
  for (const parent of parents)
    if (parent !== null) parent.childNodes = parent.childNodes.filter((child) => !removed.has(child));
  for (const node of removed) node.parentNode = null;
}

/** The tokens of `rel` in lower case. */
export function parseRel(element: Element): readonly string[] {
  return (findAttribute(element, 'rel') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '');
}
