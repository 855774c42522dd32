import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callList, callOk } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

function addSnippet(name: string, fields: Record<string, unknown>): Promise<number> {
  return createSnippet(server, { name, ...fields });
}

async function hasBlocks(): Promise<Record<string, unknown>> {
  const layouts = await callList(server, '/page-layouts');
  return Object.fromEntries(layouts.map(({ name, has_blocks }) => [String(name), has_blocks]));
}

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('GET /page-layouts', () => {
  it('is empty without layouts', async () => {
    await addSnippet('plain', {});
    expect(await callList(server, '/page-layouts')).toEqual([]);
  });

  it('lists layouts by label; name and description of the snippet replace a missing label or description', async () => {
    const wide = await addSnippet('layouts/wide', {
      description: 'of the snippet',
      page_layout: { label: '', default: true },
    });
    const two = await addSnippet('two', {
      description: 'of the snippet',
      page_layout: { label: 'änderbar', description: 'of the layout' },
    });
    const one = await addSnippet('one', { page_layout: { label: 'Blog' } });
    expect(await callList(server, '/page-layouts')).toEqual([
      {
        id: one,
        name: 'one',
        label: 'Blog',
        description: '',
        default: false,
        has_blocks: false,
        html: '{% extends "one" %}',
      },
      {
        id: wide,
        name: 'layouts/wide',
        label: 'layouts/wide',
        description: 'of the snippet',
        default: true,
        has_blocks: false,
        html: '{% extends "layouts/wide" %}',
      },
      {
        id: two,
        name: 'two',
        label: 'änderbar',
        description: 'of the layout',
        default: false,
        has_blocks: false,
        html: '{% extends "two" %}',
      },
    ]);
  });

  it('contains the HTML that a page with layout_id has', async () => {
    const [layout] = await callList(server, '/page-layouts');
    const site = await createSite(server);
    const page = { parent_id: site, slug: 'a', title: 'A', layout_id: layout?.['id'] };
    expect((await callOk(server, 'POST', '/pages', page))['html']).toBe(layout?.['html']);
  });

  it('omits a snippet whose page_layout was removed', async () => {
    const gone = await addSnippet('gone', { page_layout: {} });
    await callOk(server, 'PUT', `/snippets/${gone}`, { page_layout: null });
    expect((await callList(server, '/page-layouts')).map(({ name }) => name)).not.toContain('gone');
  });
});

describe('has_blocks', () => {
  const area = '{% blocks page.blocks %}';

  it.each([
    ['direct', area, true],
    ['in-block', `{% block a %}${area}{% endblock %}`, true],
    ['other-tree', '{% blocks page.other %}', false],
    ['commented', `{# ${area} #}{% comment %}${area}{% endcomment %}`, false],
    ['verbatim', `{% verbatim %}${area}{% endverbatim %}`, false],
    ['wrong', `${area}{% if %}`, false],
  ])('of %s is %s: %s', async (name, content, expected) => {
    await addSnippet(`h-${name}`, { content, page_layout: {} });
    expect((await hasBlocks())[`h-${name}`]).toBe(expected);
  });

  it('is true through extends, include and component, also when the block is overridden', async () => {
    await addSnippet('base', { content: `{% block main %}${area}{% endblock %}` });
    await addSnippet('extending', { content: '{% extends "base" %}', page_layout: {} });
    await addSnippet('overriding', {
      content: '{% extends "base" %}{% block main %}{% endblock %}',
      page_layout: {},
    });
    await addSnippet('including', { content: '{% include "base" %}', page_layout: {} });
    await addSnippet('component', { content: '{% component "base" / %}', page_layout: {} });
    await addSnippet('computed', { content: '{% set x = "base" %}{% include x %}', page_layout: {} });
    expect(await hasBlocks()).toMatchObject({
      extending: true,
      overriding: true,
      including: true,
      component: true,
      computed: false,
    });
  });

  it('changes with an included snippet', async () => {
    const part = await addSnippet('part', { content: 'static' });
    await addSnippet('with-part', { content: '{% include "part" %}', page_layout: {} });
    expect((await hasBlocks())['with-part']).toBe(false);
    await callOk(server, 'PUT', `/snippets/${part}`, { content: area });
    expect((await hasBlocks())['with-part']).toBe(true);
  });
});
