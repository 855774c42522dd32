/** The engine with the flags of every process of the product, which remove `eval` and `__proto__`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { engineOf, temporaryFolder } from './shared.ts';

const flags = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

const templates = {
  page: '{% extends "base" %}{% block b %}{% for i in list %}{% include "part" with n=i|add:1 %}{% endfor %}{% endblock %}',
  base: '{% import "lib" mark %}<b>{% block b %}{% endblock %}</b>{{ mark("x") }}',
  part: '[{{ n }}]',
  lib: '{% macro mark(text) %}<i>{{ text|upper }}{{ now|date:"Y" }}</i>{% endmacro %}',
  probe: '{{ map.__proto__ }}{{ map.k.__proto__ }}{{ __proto__ }}{{ map.constructor }}{{ map["__proto__"] }}',
};
const context = { list: [1, 2], now: '2024-05-15', map: { k: { v: 1 } } };

test('templates compile, render and fail as without these flags', async () => {
  const outputs = await renderUnderFlags(undefined);
  const engine = engineOf(templates);
  expect(outputs).toEqual({
    page: engine.render('page', context),
    probe: '',
    broken: 'page:1:4: division by zero',
  });
});

test('code compiled with the flags reaches no prototype in a process without them', async () => {
  const cacheDir = temporaryFolder();
  await renderUnderFlags(cacheDir);
  const engine = engineOf(templates, { cacheDir });
  expect(engine.render('probe', context)).toBe('');
  expect(engine.counts).toMatchObject({ emitted: 0, restored: 1 });
});

async function renderUnderFlags(cacheDir: string | undefined): Promise<unknown> {
  const engine = new URL('../../../runtime/engine.ts', import.meta.url).href;
  const script = `
    const { Engine } = await import(${JSON.stringify(engine)});
    const { templates, context, cacheDir } = ${JSON.stringify({ templates, context, cacheDir })};
    const engine = new Engine({ load: (name) => templates[name], timeZone: 'UTC', cacheDir });
    let broken;
    try {
      engine.renderSource('{{ 1 / 0 }}', 'page', {});
    } catch (error) {
      broken = error.message;
    }
    const [page, probe] = ['page', 'probe'].map((name) => engine.render(name, context));
    process.stdout.write(JSON.stringify({ page, probe, broken }));
  `;
  const args = [...flags, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}
