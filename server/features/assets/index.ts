import type { Feature } from '../../feature.ts';
import { assetKind } from './service.ts';

/** CSS and JS (Core, "Assets"). */
export function assetsFeature(): Feature {
  return { kinds: [assetKind] };
}
