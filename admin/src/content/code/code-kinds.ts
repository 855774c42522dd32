import { Resource } from '../../api/resource.ts';
import { paths } from '../../base/router/paths.ts';
import type { CodeKind } from './code-object.ts';

export const snippetResource = new Resource('/snippets', {
  feeds: ['snippet'],
  also: ['block-types', 'page-layouts'],
  versions: 'snippet',
});

export const assetResource = new Resource('/assets', { feeds: ['asset', 'import'], versions: 'asset' });

export const snippets: CodeKind = {
  name: 'snippet',
  resource: snippetResource,
  isDescribed: true,
  path: (id) => (id === undefined ? paths.snippets() : paths.snippet(id)),
  languageOf: () => 'html',
  create: ({ name }) => snippetResource.create({ name, content: '' }),
};

export const files: CodeKind = {
  name: 'asset',
  resource: assetResource,
  isDescribed: false,
  path: (id) => (id === undefined ? paths.assets() : paths.asset(id)),
  languageOf: ({ kind }) => kind ?? 'css',
  create: (fields) => assetResource.create({ ...fields, content: '' }),
};
