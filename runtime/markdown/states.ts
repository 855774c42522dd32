/** Makes the parser count what it produces, while it produces it, and do nothing for nothing. */
import MarkdownItParser, {
  type Env,
  type MarkdownIt,
  type StateBlock,
  type StateCore,
  type Token,
} from 'markdown-it';
import { type Budget, requireBudget } from './budget.ts';

type Nesting = Token['nesting'];

export function countWork(parser: MarkdownIt): void {
  parser.block.State = CountingBlockState;
  parser.inline.State = CountingInlineState;
  parser.block.ruler.before('table', 'count', countRead, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  parser.core.ruler.at('inline', parseInline);
}

/** Called for each line that may begin a block or end one. */
function countRead({ env }: StateBlock): boolean {
  requireBudget(env).countRead();
  return false;
}

/** A cell that the row of a table does not have is empty. There may be many, and a state for each costs much. */
function parseInline({ tokens, md, env }: StateCore): void {
  for (const { type, content, children } of tokens) {
    if (type === 'inline' && content !== '' && children !== null) md.inline.parse(content, md, env, children);
  }
}

/** Brackets within each other: links, images and what may become one. */
const maxInlineNesting = 20;

/** Tokens that begin and end a container, and what they change in the number of open containers. */
const containers: ReadonlyMap<string, 1 | -1> = new Map(
  ['blockquote', 'list_item', 'footnote'].flatMap((name) => [
    [`${name}_open`, 1],
    [`${name}_close`, -1],
  ]),
);

class CountingBlockState extends MarkdownItParser.StateBlock {
  readonly #budget: Budget;

  constructor(text: string, parser: MarkdownIt, env: Env, tokens: Token[]) {
    super(text, parser, env, tokens);
    this.#budget = requireBudget(env);
  }

  override push(type: string, tag: string, nesting: Nesting): Token {
    this.#budget.countToken();
    const change = containers.get(type);
    if (change === 1) this.#budget.enterContainer();
    if (change === -1) this.#budget.leaveContainer();
    return super.push(type, tag, nesting);
  }
}

/**
 * Blocks and inline elements share one limit of nesting in the parser. An open bracket costs a step for each level
 * within it, so inline elements begin near the limit. What is nested deeper is plain text.
 */
class CountingInlineState extends MarkdownItParser.StateInline {
  readonly #budget: Budget;

  constructor(text: string, parser: MarkdownIt, env: Env, tokens: Token[]) {
    super(text, parser, env, tokens);
    this.#budget = requireBudget(env);
    this.level = (parser.options.maxNesting ?? 0) - maxInlineNesting;
  }

  override push(type: string, tag: string, nesting: Nesting): Token {
    this.#budget.countToken();
    return super.push(type, tag, nesting);
  }

  override pushPending(): Token {
    this.#budget.countToken();
    return super.pushPending();
  }
}
