import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import * as engine from '../../../runtime/engine.ts';
import type * as Library from '../../../runtime/library.d.ts';

/** `incipit/engine`: the template engine for programs of others. */

const root = join(import.meta.dirname, '..', '..', '..');

it('has what its types declare', () => {
  // The compiler checks that the engine is what `library.d.ts` says.
  const library: typeof Library = engine;
  const hello = new library.Engine({ load: () => '{{ a }}{{ b }}' });
  expect(hello.render('hello', { a: '<b>', b: library.safe('<i>') })).toBe('&lt;b&gt;<i>');
  expect(() => new library.Engine({ load: () => '{% wrong %}' }).render('x', {})).toThrow(
    library.TemplateError,
  );
});

it('is less than a megabyte', () => {
  expect(statSync(join(root, 'server', 'generated', 'engine.mjs')).size).toBeLessThan(1_000_000);
});

it('answers requests with the example of the document', async () => {
  const text = readFileSync(join(root, 'server', 'docs', 'engine.md'), 'utf8');
  const [, example = ''] = /## node:http\n\n```js\n([\s\S]*?)```/.exec(text) ?? [];
  const child = spawn(process.execPath, ['--input-type=module', '-e', example], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const response = await fetch(new URL('/?name=%3Cb%3E', String(line)));
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe(
      '<!DOCTYPE html><title>Hello</title><main><h1>Hello &lt;b&gt;</h1></main>',
    );
  } finally {
    child.kill();
    await once(child, 'close');
  }
});
