import type { TemplateFunction } from '../engine.ts';
import { assetUrl } from './asset-url.ts';
import { children } from './children.ts';
import { nav } from './nav.ts';
import { notFound } from './not-found.ts';

/** Template functions by the name templates call them. */
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map([
  ['nav', nav],
  ['children', children],
  ['not_found', notFound],
  ['asset_url', assetUrl],
]);

/** Variables every page template has. */
export const pageGlobals: readonly string[] = ['page', 'site', 'route', 'today', 'now', 'preview'];
