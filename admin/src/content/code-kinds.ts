import { api, ok } from '../api/client.ts';
import { paths } from '../base/router/paths.ts';
import type { CodeKind } from './code-object.ts';

export const snippets: CodeKind = {
  name: 'snippet',
  isDescribed: true,
  path: (id) => (id === undefined ? paths.snippets() : paths.snippet(id)),
  languageOf: () => 'html',
  list: () => ok(api.GET('/snippets')),
  get: (id) => ok(api.GET('/snippets/{id}', { params: { path: { id } } })),
  create: ({ name }) => ok(api.POST('/snippets', { body: { name, content: '' } })),
  update: (id, body, isStrict) =>
    ok(api.PUT('/snippets/{id}', { params: { path: { id }, query: strict(isStrict) }, body })),
  remove: (id, isOnlyUnused) =>
    ok(api.DELETE('/snippets/{id}', { params: { path: { id }, query: unused(isOnlyUnused) } })),
};

export const files: CodeKind = {
  name: 'asset',
  isDescribed: false,
  path: (id) => (id === undefined ? paths.assets() : paths.asset(id)),
  languageOf: ({ kind }) => kind ?? 'css',
  list: () => ok(api.GET('/assets')),
  get: (id) => ok(api.GET('/assets/{id}', { params: { path: { id } } })),
  create: ({ name, kind }) => ok(api.POST('/assets', { body: { name, kind, content: '' } })),
  update: (id, { kind: _kind, ...body }, isStrict) =>
    ok(api.PUT('/assets/{id}', { params: { path: { id }, query: strict(isStrict) }, body })),
  remove: (id, isOnlyUnused) =>
    ok(api.DELETE('/assets/{id}', { params: { path: { id }, query: unused(isOnlyUnused) } })),
};

function strict(isStrict: boolean) {
  return isStrict ? { strict: true } : {};
}

function unused(isOnlyUnused: boolean) {
  return isOnlyUnused ? { if_unused: true } : {};
}
