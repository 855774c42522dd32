import type { TemplateFunction } from '../engine.ts';
import { assetUrl } from '../page/assets.ts';
import { pageEnv } from './page-env.ts';

/**
 * `asset_url(id)`: public URL of a CSS or JS asset. Empty if there is no such asset, so that it prints nothing.
 *
 *     {{ asset_url(3) }}
 *     /_assets/css/3.css?v=1700000000
 */
export const assetUrlFunction: TemplateFunction = {
  lasting: true,
  call(env, [id]) {
    const { memo } = pageEnv(env, 'asset_url');
    const asset = typeof id === 'number' && Number.isSafeInteger(id) ? memo.assetRef(id) : undefined;
    return asset === undefined ? '' : assetUrl(asset);
  },
};
