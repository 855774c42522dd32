/** `- [x] done`: a list item with a checkbox that visitors cannot change (GFM). */
import type { MarkdownIt, StateCore } from 'markdown-it';

export function taskLists(parser: MarkdownIt): void {
  parser.core.ruler.before('inline', 'tasks', readTasks);
  parser.renderer.rules['task'] = (tokens, index) =>
    `<input type="checkbox" disabled="" ${tokens[index]?.info === 'x' ? 'checked="" ' : ''}/>`;
}

const task = /^\[([ \t\nx])\](?=\n|[ \t]+\S)/i;

function readTasks({ tokens, Token }: StateCore): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline' || tokens[index - 2]?.type !== 'list_item_open') continue;
    const [box, mark = ''] = task.exec(token.content) ?? [];
    if (box === undefined) continue;
    const checkbox = new Token('task', 'input', 0);
    checkbox.info = mark.toLowerCase();
    // The parser appends the rest of the paragraph.
    token.children = [checkbox];
    token.content = token.content.slice(box.length);
  }
}
