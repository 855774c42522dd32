import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssetRecord } from '../../../runtime/content/reader.ts';
import { assetTags, hasModuleSyntax, inlineAssetTags, ModuleDetector } from '../../../runtime/page/assets.ts';
import { scanTags } from '../../../runtime/page/tags.ts';

describe('hasModuleSyntax', () => {
  it.each([
    ['import a from "x"', true],
    ['import "x"', true],
    ['export const a = 1', true],
    ['export default function () {}', true],
    ['console.log(import.meta.url)', true],
    ['import("x")', false],
    ['var a = 1', false],
    ['// import a from "x"', false],
    ['var a = "export default 1"', false],
    ['var a = `import x from "y"`', false],
    ['', false],
    ['function (', false],
  ])('%j: %s', (source, expected) => {
    expect(hasModuleSyntax(source)).toBe(expected);
  });
});

describe('ModuleDetector', () => {
  it('reads each version of a script once', () => {
    let reads = 0;
    let content = 'var a';
    const modules = new ModuleDetector({
      asset(id): AssetRecord {
        reads += 1;
        return { id, kind: 'js', name: 'x', content, updated_at: 1 };
      },
    });
    const ref = { id: 1, kind: 'js', updated_at: 1 } as const;
    expect([modules.isModule(ref), modules.isModule(ref), reads]).toEqual([false, false, 1]);
    content = 'export default 1';
    expect([modules.isModule({ ...ref, updated_at: 2 }), reads]).toEqual([true, 2]);
  });
});

describe('assetTags', () => {
  it('keeps the first place of duplicates', () => {
    const css = (id: number) => ({ id, kind: 'css', updated_at: 5 }) as const;
    const { css: html } = assetTags([css(2), css(1), css(2)], () => false);
    expect(html.match(/css\/\d/g)).toEqual(['css/2', 'css/1']);
  });
});

describe('inlineAssetTags', () => {
  const asset = (id: number, kind: 'css' | 'js') => ({ id, kind, updated_at: 5 }) as const;

  it('keeps the first place of duplicates and recognises modules', () => {
    const contents = new Map([
      [1, 'a { }'],
      [2, 'var a'],
      [3, 'export const a = 1'],
    ]);
    const assets = [asset(1, 'css'), asset(2, 'js'), asset(1, 'css'), asset(3, 'js')];
    expect(inlineAssetTags(assets, ({ id }) => contents.get(id) ?? '')).toEqual({
      css: '<style>\na { }\n</style>\n',
      js: '<script>\nvar a\n</script>\n<script type="module">\nexport const a = 1\n</script>\n',
    });
  });

  it.each(['css', 'js'] as const)('escapes the end tag of the element in %s', (kind) => {
    const pieces = fc.constantFrom('</', 'style', 'script', '<script', '>', '<!--', '-->', ' ', 'A', '/');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const tags = inlineAssetTags([asset(1, kind)], () =>
          parts.join('').replaceAll('A', '</SCRIPT></STYLE>'),
        );
        const names = [...scanTags(tags.css + tags.js)].map(({ name, closing }) =>
          closing ? `/${name}` : name,
        );
        expect(names).toEqual(kind === 'css' ? ['style', '/style'] : ['script', '/script']);
      }),
    );
  });

  it('keeps the meaning of escaped scripts', () => {
    const source = 'globalThis.result = ["</script>", "<!--", /<\\/script>/.test("</script>")]';
    const { js } = inlineAssetTags([asset(1, 'js')], () => source);
    const context: { result?: unknown } = {};
    runInNewContext(js.slice('<script>'.length, js.lastIndexOf('</script>')), context);
    expect(JSON.stringify(context.result)).toBe('["</script>","<!--",true]');
  });
});
