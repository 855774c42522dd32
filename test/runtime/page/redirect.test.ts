import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePath } from '../../../runtime/page/address.ts';
import { computeLocation } from '../../../runtime/page/redirect.ts';

/** Texts with many characters that are special in addresses. */
const address = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '%', '%2', '%2f', '%25', '%41', '%c3%a9', '?', '#', '//', ' ', '.', '\n'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('normalizePath', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(address, (text) => {
        const once = normalizePath(text);
        expect(normalizePath(once)).toBe(once);
      }),
    );
  });

  it('gives paths without query, fragment, trailing slash and control characters', () => {
    fc.assert(
      fc.property(address, (text) => {
        const path = normalizePath(text);
        expect(path).toMatch(/^\/[^?#\p{Cc}]*$/u);
        expect(path === '/' || !path.endsWith('/')).toBe(true);
        expect(path.isWellFormed()).toBe(true);
      }),
    );
  });

  it('takes linear time for hostile texts', () => {
    for (const unit of ['/', ' ', '%', '%20', '%2f', '%25', '/ '])
      expect(normalizePath(`${unit.repeat(100_000)}x`)).toMatch(/^\//);
  });
});

describe('locationOf', () => {
  it('is printable ASCII for every target', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (target, query) => {
        expect(computeLocation(`/${target}`, query)).toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });

  it('leaves out private parameters in every encoding', () => {
    const name = fc
      .constantFrom('token', 'exp', 'sig', 'preview', 'ic_preview', '_site')
      .chain((text) =>
        fc
          .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
          .map((encoded) =>
            [...text]
              .map((letter, index) => (encoded[index] ? `%${letter.charCodeAt(0).toString(16)}` : letter))
              .join(''),
          ),
      );
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const query = ['a=1', ...names.map((text) => `${text}=secret`), 'b=2'].join('&');
        expect(computeLocation('/x', query)).toBe('/x?a=1&b=2');
      }),
    );
  });
});
