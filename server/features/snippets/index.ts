import type { Feature, SharedServices } from '../../feature.ts';
import { renameParamRoute } from './rename-param.ts';
import { snippetRoutes } from './routes.ts';
import { snippetKind } from './service.ts';

/** Templates that pages and other snippets use (Core, "Snippets and page layouts"). */
export function snippetsFeature(
  parts: Pick<SharedServices, 'snapshots' | 'reader' | 'texts' | 'changes' | 'pool' | 'registry'>,
): Feature {
  return {
    about: {
      'page-layouts': 'Layouts for new pages, which snippets offer to editors.',
    },
    kinds: [snippetKind],
    routes: [...snippetRoutes(parts), renameParamRoute(parts)],
  };
}
