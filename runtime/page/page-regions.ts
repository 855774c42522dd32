import { createRegionParam } from '../blocks/region-param.ts';
import type { ContentCache, RegionValues } from '../content/content-cache.ts';
import type { RegionSource } from '../engine/region-source.ts';
import { isFileValue } from '../files/file-value.ts';
import { type ParameterTargets, prepareValue } from './blocks/prepare.ts';
import { type ImageView, showImage } from './shown-image.ts';

type Prepared = (targets: ParameterTargets) => unknown;

/** Prepared words by name and type, with the stored words of a page. */
const kept = new WeakMap<RegionValues, Map<string, Prepared>>();

/** The page that is rendered. */
interface RegionEnv extends ImageView {
  readonly memo: Pick<ContentCache, 'pageRegions'>;
  readonly page: { readonly id: number };
}

/** The words of the page that is rendered. One per render. */
export class PageRegions implements RegionSource {
  readonly #env: RegionEnv;
  readonly #targets: ParameterTargets;
  readonly #unsaved: RegionValues | undefined;

  /** @param unsaved words in the place of stored ones; nobody has checked them */
  constructor(env: RegionEnv, targets: ParameterTargets, unsaved: RegionValues | undefined) {
    this.#env = env;
    this.#targets = targets;
    this.#unsaved = unsaved;
  }

  value(name: string, typeName: string): unknown {
    const values = this.#valuesWith(name);
    const stored = Object.hasOwn(values, name) ? values[name] : null;
    if (stored === null || stored === undefined) return undefined;
    if (stored === '') return '';
    const prepared = prepareOnce(values, name, typeName);
    if (prepared === undefined) return undefined;
    const value = prepared(this.#targets);
    if (typeName !== 'image') return value ?? '';
    return showImage(this.#env, isFileValue(value) ? value : undefined, {}) ?? '';
  }

  mark(name: string, isOpening: boolean): string {
    return this.#env.blocks.marks?.region(name, isOpening) ?? '';
  }

  #valuesWith(name: string): RegionValues {
    if (this.#unsaved !== undefined && Object.hasOwn(this.#unsaved, name)) return this.#unsaved;
    return this.#env.memo.pageRegions(this.#env.page.id);
  }
}

/** Undefined for a value that does not fit the type: the template may have changed since it was stored. */
function prepareOnce(values: RegionValues, name: string, typeName: string): Prepared | undefined {
  const key = `${typeName} ${name}`;
  let ofPage = kept.get(values);
  if (ofPage === undefined) {
    ofPage = new Map();
    kept.set(values, ofPage);
  }
  const known = ofPage.get(key);
  if (known !== undefined) return known;
  const param = createRegionParam(name, typeName);
  const prepared = param && prepareValue(values[name], param);
  if (prepared !== undefined) ofPage.set(key, prepared);
  return prepared;
}
