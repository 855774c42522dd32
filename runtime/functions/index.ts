import type { TemplateFunction } from '../engine.ts';
import { assetUrlFunction } from './asset-url.ts';
import { blockField } from './block-field.ts';
import { children } from './children.ts';
import { dataFunction, itemFunction } from './data.ts';
import { file } from './file.ts';
import { image } from './image.ts';
import { nav } from './nav.ts';
import { notFoundFunction } from './not-found.ts';
import { workflowFunction } from './workflow.ts';

/** Template functions by their name in templates. */
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map([
  ['data', dataFunction],
  ['item', itemFunction],
  ['nav', nav],
  ['children', children],
  ['not_found', notFoundFunction],
  ['asset_url', assetUrlFunction],
  ['image', image],
  ['file', file],
  ['block_field', blockField],
  ['workflow', workflowFunction],
]);

/** Variables that every page template has. */
export const pageGlobals: readonly string[] = ['page', 'site', 'route', 'today', 'now', 'preview'];
