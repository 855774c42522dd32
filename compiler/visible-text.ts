/** Text that a reader sees whenever nodes are rendered: text of the author that is more than white space. */
import type { Node } from '../grammar/ast.ts';
import { constantName } from './constant-name.ts';

/**
 * Whether every render of the nodes outputs visible text.
 *
 * @param templateShowsText whether every render of another template does
 */
export function showsText(
  nodes: readonly Node[],
  templateShowsText: (name: string) => boolean = () => false,
): boolean {
  return nodes.some((node) => {
    if (node.type === 'Text') return node.value.trim() !== '';
    if (node.type !== 'Component' && node.type !== 'Include') return false;
    const name = constantName(node.template);
    return name !== undefined && templateShowsText(name);
  });
}
