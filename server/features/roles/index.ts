import type { Feature, SharedServices } from '../../feature.ts';
import { GrantResolver } from './grant-resolver.ts';
import { roleRoutes } from './routes.ts';

/** Sets of rights that users and tokens have. */
export interface RolesFeature extends Feature {
  readonly resolver: GrantResolver;
}

export function rolesFeature(parts: SharedServices): RolesFeature {
  const resolver = new GrantResolver(parts.reader);
  return {
    resolver,
    about: { roles: 'Sets of rights that users and tokens have.' },
    routes: roleRoutes(parts),
    followers: [{ of: ['roles'], refresh: () => resolver.forget() }],
  };
}
