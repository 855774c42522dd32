import { escapeHtml } from '../values/escape.ts';
import type { FileValue } from './file-value.ts';

/** What a template says of an image besides its ID; absent = the default. */
export interface PictureOptions {
  readonly class?: string;
  readonly alt?: string;
  readonly sizes?: string;
  readonly loading?: string;
  /** Width in CSS pixels at which the image is shown. */
  readonly width?: number;
}

/**
 * The element of an image: browsers choose width and format. Width and height keep its place while it loads.
 *
 * @param formats MIME type and `srcset` of further formats, best first; empty ones are left out
 */
export function pictureHtml(
  file: FileValue,
  formats: readonly (readonly [mime: string, srcset: string])[],
  options: PictureOptions,
): string {
  const shownWidth = options.width ?? file.width;
  const sizes =
    options.sizes ??
    (options.width === undefined ? '100vw' : `(min-width: ${options.width}px) ${options.width}px, 100vw`);
  const height =
    file.width === null || file.height === null || shownWidth === null
      ? null
      : Math.max(1, Math.round((file.height * shownWidth) / file.width));
  const img = element('img', [
    ['class', options.class],
    ['src', file.url],
    ['srcset', file.srcset || undefined],
    ['sizes', file.srcset === '' ? undefined : sizes],
    ['width', textOf(shownWidth)],
    ['height', textOf(height)],
    ['alt', options.alt ?? file.alt],
    ['loading', options.loading ?? 'lazy'],
    ['decoding', 'async'],
  ]);
  const sources = formats
    .filter(([, srcset]) => srcset !== '')
    .map(([type, srcset]) =>
      element('source', [
        ['type', type],
        ['srcset', srcset],
        ['sizes', sizes],
      ]),
    );
  return sources.length === 0 ? img : `<picture>${sources.join('')}${img}</picture>`;
}

function element(name: string, attributes: readonly (readonly [string, string | undefined])[]): string {
  const written = attributes.flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeHtml(value)}"`],
  );
  return `<${name}${written.join('')}>`;
}

function textOf(number: number | null): string | undefined {
  return number === null ? undefined : String(number);
}
