import { describe, expect, it } from 'vitest';
import type { AssetRecord } from '../../../runtime/content.ts';
import { assetTags, createModuleDetector, hasModuleSyntax } from '../../../runtime/page/assets.ts';

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

describe('createModuleDetector', () => {
  it('reads each version of a script once', () => {
    let reads = 0;
    let content = 'var a';
    const isModule = createModuleDetector({
      asset(id): AssetRecord {
        reads += 1;
        return { id, kind: 'js', name: 'x', content, updated_at: 1 };
      },
    });
    const ref = { id: 1, kind: 'js', updated_at: 1 } as const;
    expect([isModule(ref), isModule(ref), reads]).toEqual([false, false, 1]);
    content = 'export default 1';
    expect([isModule({ ...ref, updated_at: 2 }), reads]).toEqual([true, 2]);
  });
});

describe('assetTags', () => {
  it('keeps the first place of duplicates', () => {
    const css = (id: number) => ({ id, kind: 'css', updated_at: 5 }) as const;
    const { css: html } = assetTags([css(2), css(1), css(2)], () => false);
    expect(html.match(/css\/\d/g)).toEqual(['css/2', 'css/1']);
  });
});
