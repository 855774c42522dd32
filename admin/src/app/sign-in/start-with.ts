import { api, requireData } from '../../api/client.ts';
import { paths } from '../../base/router/paths.ts';
import type { Start } from './start-choice.tsx';

/**
 * Creates the first website. Resolves with the address of its home page in the editor; a website to be taken over is
 * made by the import, whose address comes back instead.
 */
export async function startWith(start: Start, title: string): Promise<string> {
  if (start === 'demo') {
    const { root_id } = await requireData(api.POST('/demo'));
    return paths.page(root_id, root_id);
  }
  if (start === 'import') return paths.imports('new');
  const { id } = await requireData(api.POST('/sites', { body: { title } }));
  return paths.page(id, id);
}
