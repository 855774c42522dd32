import { parse as parseModule } from 'es-module-lexer/js';
import { webAddress, withoutFragment } from './address.ts';
import { AddressSet } from './address-set.ts';
import { addressesInCss, replaceInCss } from './css.ts';
import { decodeCss, decodeJs } from './decode.ts';
import type {
  ConvertCssTask,
  ConvertedCode,
  ConvertJsTask,
  CssFacts,
  ReadCssTask,
  ResourceKind,
} from './messages.ts';

export function readCss({ file, url, contentType }: ReadCssTask): CssFacts {
  const resources = new AddressSet<ResourceKind>();
  for (const { address, kind } of addressesInCss(decodeCss(file, contentType))) {
    const found = webAddress(address, url);
    if (found === undefined || address.startsWith('#')) continue;
    resources.add(withoutFragment(found), kind === 'import' ? 'css' : kind);
  }
  const list = [...resources].map(([address, kind]) => ({ url: address, kind }));
  return { resources: list, imports: list.filter(({ kind }) => kind === 'css').map((link) => link.url) };
}

export function convertCss({ file, url, contentType, replacements }: ConvertCssTask): ConvertedCode {
  const source = decodeCss(file, contentType).replace(/^@charset "[^"]*";/, '');
  const text = replaceInCss(source, ({ address }) => {
    const found = webAddress(address, url);
    if (found === undefined || address.startsWith('#')) return undefined;
    const replacement = replacements.get(withoutFragment(found));
    return replacement === undefined ? found.href : replacement + found.hash;
  });
  return { text, hasRelativeImports: false };
}

export function convertJs({ file, contentType }: ConvertJsTask): ConvertedCode {
  const text = decodeJs(file, contentType);
  return { text, hasRelativeImports: importsRelatively(text) };
}

function importsRelatively(text: string): boolean {
  if (!/\bimport\b|\bexport\b/.test(text)) return false;
  try {
    const [imports] = parseModule(text);
    return imports.some(({ specifier }) => typeof specifier === 'string' && /^\.{0,2}\//.test(specifier));
  } catch {
    // Code that does not parse is taken over as it is.
    return false;
  }
}
