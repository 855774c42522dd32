interface Size {
  readonly width: number | null;
  readonly height: number | null;
}

const unknown: Size = { width: null, height: null };

/** The size that an SVG names in its first tag, in pixels; null if it names none. Nothing is drawn. */
export function svgSize(mime: string, head: Uint8Array): Size {
  if (mime !== 'image/svg+xml') return unknown;
  const text = new TextDecoder().decode(head);
  const start = text.search(/<svg\b/i);
  // Not one pattern for the whole tag: it would look for the end of each of very many beginnings.
  const tag = start < 0 ? '' : text.slice(start, text.indexOf('>', start) + 1);
  const width = lengthOf(tag, 'width');
  const height = lengthOf(tag, 'height');
  if (width !== null && height !== null) return { width, height };
  const [, boxWidth, boxHeight] =
    /\sviewBox\s*=\s*["']\s*[\d.+-]+[\s,]+[\d.+-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(tag) ?? [];
  const box = { width: pixels(boxWidth), height: pixels(boxHeight) };
  return box.width === null || box.height === null ? unknown : box;
}

/** A length without unit or in pixels; a share of the page says nothing. */
function lengthOf(tag: string, name: 'width' | 'height'): number | null {
  return pixels(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, 'i').exec(tag)?.[1]);
}

function pixels(text: string | undefined): number | null {
  const value = Math.round(Number(text ?? ''));
  return Number.isSafeInteger(value) && value > 0 && value <= 1_000_000 ? value : null;
}
