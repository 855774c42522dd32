/** Pairs the tags that open with those that close, and makes nodes of them. */
import type { Fill, Node, Span, Template, TemplateRef } from './ast.ts';
import { didYouMean, errorAt, type SourceText, type TemplateError } from './errors.ts';
import { type BlockTag, blocks, type EndTag, type Item, knownTags, type Tag } from './items.ts';
import { resolveName } from './names.ts';
import { checkPartials, type PartialBody, type PartialUse, partialNamed } from './partials.ts';
import { SizeCounter } from './size.ts';

/** Nodes of a flat list of items, and the partials defined among them. @throws TemplateError */
export function nestItems(items: readonly Item[], text: SourceText): Pick<Template, 'body' | 'partials'> {
  const counter = new SizeCounter(text);
  const cursor: Cursor = { items, text, index: 0, counter, partials: new Map(), uses: [], open: [] };
  const { nodes } = nestBody(cursor);
  checkPartials(cursor.partials, cursor.uses, counter, text);
  return { body: nodes, partials: new Map([...cursor.partials].map(([name, { body }]) => [name, body])) };
}

interface Cursor {
  readonly items: readonly Item[];
  readonly text: SourceText;
  index: number;
  readonly counter: SizeCounter;
  /** The partials defined or used so far. */
  readonly partials: Map<string, PartialBody>;
  /** Where partials are rendered. */
  readonly uses: PartialUse[];
  /** Blocks that are open, outermost first. */
  readonly open: Opened[];
}

type Opened = Extract<Tag, { readonly tag: BlockTag }>;

interface Body {
  readonly nodes: Node[];
  /** The tag that ended the body; absent at the end of the template. */
  readonly closer?: Tag;
}

function nestBody(cursor: Cursor): Body {
  const nodes: Node[] = [];
  while (cursor.index < cursor.items.length) {
    const item = cursor.items[cursor.index++];
    if (item === undefined || item.kind === 'comment') continue;
    cursor.counter.addItem(item);
    if (item.kind === 'text') appendText(nodes, item);
    else if (item.kind === 'output')
      nodes.push({ type: 'Output', value: item.value, start: item.start, end: item.end });
    else if (item.kind === 'unknown') throw unknownTag(cursor, item);
    else if (closes(cursor, item)) return { nodes, closer: item };
    else {
      const node = nestTag(cursor, item);
      if (node?.type === 'Text') appendText(nodes, node);
      else if (node !== undefined) nodes.push(node);
    }
  }
  const unclosed = cursor.open.at(-1);
  if (unclosed !== undefined) throw neverClosed(cursor, unclosed);
  return { nodes };
}

function appendText(nodes: Node[], item: { value: string; start: number; end: number }): void {
  const previous = nodes.at(-1);
  if (previous?.type !== 'Text')
    nodes.push({ type: 'Text', value: item.value, start: item.start, end: item.end });
  else nodes[nodes.length - 1] = { ...previous, value: previous.value + item.value, end: item.end };
}

/** Whether the tag ends or divides the innermost open block; any other closing tag is an error. */
function closes(cursor: Cursor, tag: Tag): boolean {
  if (!isCloser(tag.tag) && tag.tag !== 'fill') return false;
  const opened = cursor.open.at(-1);
  if (opened !== undefined) {
    const { between, end }: { between: readonly string[]; end: string } = blocks[opened.tag];
    if (tag.tag === end || between.includes(tag.tag)) {
      if (tag.tag === end && 'name' in tag && !('name' in opened) && nameless.has(opened.tag)) {
        throw errorAt(cursor.text, tag.start, `{% ${tag.tag} %} takes no name, unlike {% endblock %}`);
      }
      return true;
    }
  }
  if (tag.tag !== 'fill') throw misplaced(cursor, tag, opened);
  throw errorAt(cursor.text, tag.start, '{% fill %} must stand directly inside {% component %}');
}

/** Tags whose end Django takes as it is, or that Django does not have; what follows other end tags counts for nothing. */
const nameless: ReadonlySet<BlockTag> = new Set(['if', 'component', 'slot', 'fill']);

function isCloser(tag: string): boolean {
  return tag.startsWith('end') || tag === 'elif' || tag === 'else' || tag === 'empty';
}

function nestTag(cursor: Cursor, tag: Tag): Node | undefined {
  const span = { start: tag.start, end: tag.end };
  switch (tag.tag) {
    case 'if':
      return nestIf(cursor, tag);
    case 'for':
      return nestFor(cursor, tag);
    case 'with':
      return { type: 'With', bindings: tag.bindings, ...nestSimple(cursor, tag), start: tag.start };
    case 'set':
      return { type: 'Set', name: tag.name, value: tag.value, ...span };
    case 'include':
      return {
        type: 'Include',
        template: refOf(cursor, tag),
        bindings: tag.bindings,
        only: tag.only,
        ...span,
      };
    case 'extends':
      return { type: 'Extends', template: refOf(cursor, tag), ...span };
    case 'block':
      return { type: 'Block', name: tag.name, ...nestNamed(cursor, tag), start: tag.start };
    case 'component':
      return nestComponent(cursor, tag);
    case 'slot':
      return nestSlot(cursor, tag);
    case 'macro':
      return nestMacro(cursor, tag);
    case 'import':
      return { type: 'Import', template: refOf(cursor, tag), names: tag.names, ...span };
    case 'autoescape':
      return { type: 'Autoescape', on: tag.on, ...nestSimple(cursor, tag), start: tag.start };
    case 'filter':
      return { type: 'FilterBlock', value: tag.value, ...nestSimple(cursor, tag), start: tag.start };
    case 'spaceless':
      return { type: 'Spaceless', ...nestSimple(cursor, tag), start: tag.start };
    case 'firstof':
      return { type: 'FirstOf', values: tag.values, ...(tag.as !== undefined && { as: tag.as }), ...span };
    case 'cycle':
      return nestCycle(tag);
    case 'now':
      return { type: 'Now', format: tag.format, ...(tag.as !== undefined && { as: tag.as }), ...span };
    case 'ifchanged':
      return nestIfChanged(cursor, tag);
    case 'regroup':
      return { type: 'Regroup', list: tag.list, entry: tag.entry, key: tag.key, as: tag.as, ...span };
    case 'resetcycle':
      return { type: 'ResetCycle', ...(tag.name !== undefined && { name: tag.name }), ...span };
    case 'widthratio':
      return {
        type: 'WidthRatio',
        value: tag.value,
        max: tag.max,
        width: tag.width,
        ...(tag.as !== undefined && { as: tag.as }),
        ...span,
      };
    case 'lorem':
      return { type: 'Lorem', count: tag.count, method: tag.method, random: tag.random, ...span };
    case 'templatetag':
      return { type: 'Text', value: tag.text, ...span };
    case 'querystring':
      return {
        type: 'QueryString',
        bases: tag.bases,
        bindings: tag.bindings,
        ...(tag.as !== undefined && { as: tag.as }),
        ...span,
      };
    case 'cache':
      return { type: 'Cache', timeout: tag.timeout, ...nestSimple(cursor, tag), start: tag.start };
    case 'blocks':
      return { type: 'Blocks', tree: tag.tree, ...span };
    case 'partialdef':
      return nestPartialDefinition(cursor, tag);
    case 'partial':
      return usePartial(cursor, tag);
    case 'nothing':
      return undefined;
    default:
      throw errorAt(cursor.text, tag.start, `{% ${tag.tag} %} cannot stand here`);
  }
}

function nestIf(cursor: Cursor, tag: Opened & { tag: 'if' }): Node {
  const branches: { test: typeof tag.test; body: Node[] }[] = [];
  let otherwise: Node[] | undefined;
  let test: typeof tag.test | undefined = tag.test;
  let end = tag.end;
  within(cursor, tag, () => {
    for (;;) {
      const { nodes, closer } = nestBody(cursor);
      if (test === undefined) otherwise = nodes;
      else branches.push({ test, body: nodes });
      if (closer === undefined) return;
      end = closer.end;
      if (closer.tag === 'endif') return;
      if (otherwise !== undefined) {
        throw errorAt(
          cursor.text,
          closer.start,
          `{% ${closer.tag} %} after {% else %}, expected {% endif %}`,
        );
      }
      test = closer.tag === 'elif' ? closer.test : undefined;
    }
  });
  return { type: 'If', branches, ...(otherwise !== undefined && { otherwise }), start: tag.start, end };
}

function nestFor(cursor: Cursor, tag: Opened & { tag: 'for' }): Node {
  const { targets, iterable, reversed, start } = tag;
  const { first, second, end } = nestTwoParts(cursor, tag, 'a second {% empty %} in the same {% for %}');
  return {
    type: 'For',
    targets,
    iterable,
    reversed,
    body: first,
    ...(second !== undefined && { empty: second }),
    start,
    end,
  };
}

function nestIfChanged(cursor: Cursor, tag: Opened & { tag: 'ifchanged' }): Node {
  const { values, start } = tag;
  const { first, second, end } = nestTwoParts(cursor, tag, 'a second {% else %}');
  return {
    type: 'IfChanged',
    values,
    body: first,
    ...(second !== undefined && { otherwise: second }),
    start,
    end,
  };
}

/**
 * The bodies of a block that one tag may divide in two; `second` is absent without that tag.
 * @param dividedAgain what is wrong if that tag comes twice
 */
function nestTwoParts(
  cursor: Cursor,
  tag: Opened,
  dividedAgain: string,
): { readonly first: Node[]; readonly second: Node[] | undefined; readonly end: number } {
  const closing = blocks[tag.tag].end;
  const parts: Node[][] = [];
  let end = tag.end;
  within(cursor, tag, () => {
    for (;;) {
      const { nodes, closer } = nestBody(cursor);
      parts.push(nodes);
      if (closer === undefined) return;
      end = closer.end;
      if (closer.tag === closing) return;
      if (parts.length > 1) {
        throw errorAt(cursor.text, closer.start, `${dividedAgain}, expected {% ${closing} %}`);
      }
    }
  });
  const [first = [], second] = parts;
  return { first, second, end };
}

/** Every call passes as many values as the macro has parameters. */
const maxMacroParams = 255;

function nestMacro(cursor: Cursor, tag: Opened & { tag: 'macro' }): Node {
  const { name, params, start } = tag;
  if (params.length > maxMacroParams)
    throw errorAt(cursor.text, start, `a macro takes at most ${maxMacroParams} parameters`);
  return { type: 'Macro', name, params, ...nestNamed(cursor, tag), start };
}

/** A definition outputs nothing where it stands, unless it is inline. */
function nestPartialDefinition(cursor: Cursor, tag: Opened & { tag: 'partialdef' }): Node | undefined {
  if (cursor.partials.get(tag.name)?.size !== undefined) {
    throw errorAt(
      cursor.text,
      tag.start,
      `a second {% partialdef ${tag.name} %}: names of partials are unique`,
    );
  }
  const before = cursor.counter.size;
  const { body: nodes, end } = nestNamed(cursor, tag);
  const partial = partialNamed(cursor.partials, tag.name);
  for (const node of nodes) partial.body.push(node);
  partial.size = cursor.counter.since(before);
  return tag.inline ? usePartial(cursor, { name: tag.name, start: tag.start, end }) : undefined;
}

/** Renders a partial here, whether it is defined above or below. */
function usePartial(cursor: Cursor, tag: Span & { readonly name: string }): Node {
  const { name, start, end } = tag;
  const around = cursor.open.findLast((opened) => opened.tag === 'partialdef');
  cursor.uses.push({ name, inside: around?.name, start });
  return { type: 'Partial', name, body: partialNamed(cursor.partials, name).body, start, end };
}

function nestComponent(cursor: Cursor, tag: Opened & { tag: 'component' }): Node {
  const { bindings, start } = tag;
  const template = refOf(cursor, tag);
  const fills: Fill[] = [];
  const filled = new Set<string>();
  let end = tag.end;
  if (!tag.selfClosing) {
    const direct: Node[] = [];
    within(cursor, tag, () => {
      for (;;) {
        const { nodes, closer } = nestBody(cursor);
        for (const node of nodes) direct.push(node);
        if (closer === undefined) return;
        end = closer.end;
        if (closer.tag !== 'fill') return;
        if (filled.has(closer.name)) {
          throw errorAt(
            cursor.text,
            closer.start,
            `slot "${closer.name}" is filled twice in the same {% component %}`,
          );
        }
        filled.add(closer.name);
        fills.push({ name: closer.name, start: closer.start, ...nestSimple(cursor, closer) });
      }
    });
    if (direct.some((node) => node.type !== 'Text' || node.value.trim() !== '')) {
      if (filled.has('default')) {
        throw errorAt(
          cursor.text,
          start,
          'the default slot is filled twice: by {% fill default %} and by other content',
        );
      }
      fills.push({ name: 'default', body: direct, start, end });
    }
  }
  return { type: 'Component', template, bindings, fills, start, end };
}

function nestCycle(tag: Tag & { tag: 'cycle' }): Node {
  const span = { start: tag.start, end: tag.end };
  const [only] = tag.values;
  if (tag.values.length === 1 && only?.type === 'Name' && tag.as === undefined) {
    return { type: 'CycleNext', name: only.name, ...span };
  }
  return {
    type: 'Cycle',
    values: tag.values,
    ...(tag.as !== undefined && { as: tag.as }),
    silent: tag.silent,
    ...span,
  };
}

/** A literal name is resolved here, so that all later phases see full names only. */
function refOf(cursor: Cursor, { template }: { readonly template: TemplateRef }): TemplateRef {
  return template.kind === 'literal'
    ? { ...template, name: resolveName(template.name, cursor.text.name) }
    : template;
}

function nestSlot(cursor: Cursor, tag: Opened & { tag: 'slot' }): Node {
  const { body, end } = nestSimple(cursor, tag);
  return { type: 'Slot', name: tag.name, fallback: body, start: tag.start, end };
}

interface Enclosed {
  readonly body: Node[];
  /** Where the end tag ends. */
  readonly end: number;
}

/** The body of a block that has only an end tag. */
function nestSimple(cursor: Cursor, tag: Opened): Enclosed {
  const { nodes, closer } = within(cursor, tag, () => nestBody(cursor));
  return { body: nodes, end: closer?.end ?? tag.end };
}

/** The same for a block whose end tag may repeat its name. */
function nestNamed(cursor: Cursor, tag: Opened & { readonly name: string }): Enclosed {
  const { nodes, closer } = within(cursor, tag, () => nestBody(cursor));
  if (closer !== undefined && 'name' in closer && closer.name !== undefined && closer.name !== tag.name) {
    const expected = `expected {% end${tag.tag} ${tag.name} %}`;
    throw errorAt(
      cursor.text,
      closer.start,
      `{% ${closer.tag} ${closer.name} %} closes another ${tag.tag}, ${expected}`,
    );
  }
  return { body: nodes, end: closer?.end ?? tag.end };
}

function within<Result>(cursor: Cursor, tag: Opened, run: () => Result): Result {
  cursor.open.push(tag);
  const result = run();
  cursor.open.pop();
  return result;
}

function unknownTag(cursor: Cursor, item: Item & { kind: 'unknown' }): TemplateError {
  return errorAt(
    cursor.text,
    item.start,
    `unknown tag "${item.tag.slice(0, 40)}"${didYouMean(item.tag, knownTags)}`,
  );
}

function misplaced(cursor: Cursor, tag: Tag, opened: Opened | undefined): TemplateError {
  if (opened === undefined)
    return errorAt(cursor.text, tag.start, `{% ${tag.tag} %} closes nothing: no tag is open here`);
  const { line } = errorAt(cursor.text, opened.start, '');
  return errorAt(
    cursor.text,
    tag.start,
    `unexpected {% ${tag.tag} %}: {% ${opened.tag} %} of line ${line} is still open, expected ${closersOf(opened)}`,
  );
}

function neverClosed(cursor: Cursor, opened: Opened): TemplateError {
  return errorAt(
    cursor.text,
    opened.start,
    `{% ${opened.tag} %} is never closed, expected ${closersOf(opened)}`,
  );
}

function closersOf(opened: Opened): string {
  const { between, end }: { between: readonly string[]; end: EndTag } = blocks[opened.tag];
  const list = [...between, end].map((tag) => `{% ${tag} %}`);
  const last = list.pop();
  return list.length === 0 ? `${last}` : `${list.join(', ')} or ${last}`;
}
