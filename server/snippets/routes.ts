import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import type { ErrorCode } from '../errors.ts';
import type { AnswerMemo } from '../http/answer-memo.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import type { TemplateAnalysis } from '../templates.ts';
import { BlockType, PageLayoutEntry, SavedSnippet, Snippet, SnippetCreate, SnippetUpdate } from './model.ts';
import { listBlockTypes, listPageLayouts } from './offers.ts';
import * as snippets from './service.ts';

const saveErrors: readonly ErrorCode[] = [
  'snippet.nameTaken',
  'snippet.layoutTooLong',
  'block.paramNameInvalid',
  'block.paramTypeInvalid',
  'block.paramLinkMissing',
  'block.paramDefaultInvalid',
  'block.slotNameInvalid',
];

export interface SnippetRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly templates: TemplateAnalysis;
  readonly answers: AnswerMemo;
}

/** Templates that pages and other snippets use (Core, "Snippets and page layouts"). */
export function snippetRoutes({ reader, changes, templates, answers }: SnippetRoutesDeps): Route[] {
  const { change } = changes;
  return [
    defineRoute({
      method: 'GET',
      path: '/snippets',
      access: 'read',
      summary: 'List snippets with their content',
      response: Type.Array(Snippet),
      handle: () => answers.json('/snippets', () => snippets.listSnippets(reader)),
    }),
    defineRoute({
      method: 'POST',
      path: '/snippets',
      access: 'write',
      summary: 'Create a snippet',
      body: SnippetCreate,
      response: SavedSnippet,
      status: 201,
      errors: saveErrors,
      handle: async ({ actor, body }) =>
        snippets.presentSavedSnippet(await change(actor, (c) => snippets.createSnippet(c, body)), templates),
    }),
    defineRoute({
      method: 'GET',
      path: '/snippets/{id}',
      access: 'read',
      summary: 'Get a snippet',
      params: IdParams,
      response: Snippet,
      handle: ({ params }) =>
        answers.json(`/snippets/${params.id}`, () => snippets.getSnippet(reader, params.id)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/snippets/{id}',
      access: 'write',
      summary: 'Change fields of a snippet',
      params: IdParams,
      body: SnippetUpdate,
      response: SavedSnippet,
      errors: saveErrors,
      handle: async ({ actor, params, body }) =>
        snippets.presentSavedSnippet(
          await change(actor, (c) => snippets.updateSnippet(c, params.id, body)),
          templates,
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/snippets/{id}',
      access: 'write',
      summary: 'Delete a snippet',
      params: IdParams,
      handle: ({ actor, params }) => change(actor, (c) => snippets.deleteSnippet(c, params.id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/blocks/types',
      access: 'read',
      summary: 'List block types',
      response: Type.Array(BlockType),
      handle: () => listBlockTypes(reader),
    }),
    defineRoute({
      method: 'GET',
      path: '/page-layouts',
      access: 'read',
      summary: 'List page layouts',
      response: Type.Array(PageLayoutEntry),
      handle: () => listPageLayouts(reader, templates),
    }),
  ];
}
