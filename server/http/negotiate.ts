import type { Encoding } from '../../runtime/tasks/encode.ts';

/** Headers that have been read. Nearly all requests have one of a few. */
const known = new Map<string, readonly Encoding[]>();
const maxKnown = 200;
const maxKnownLength = 200;
/** Of the last request; comparing with it is faster than finding it. */
let lastSent = '';
let lastCodings: readonly Encoding[] = [];

/**
 * The content codings that a client accepts of those that this server makes (RFC 9110, 12.5.3), best first: by
 * quality, and Brotli before gzip, because it is smaller.
 */
export function codingsFor(acceptEncoding: string): readonly Encoding[] {
  if (acceptEncoding === lastSent) return lastCodings;
  if (acceptEncoding.length > maxKnownLength) return readCodings(acceptEncoding);
  lastCodings = known.get(acceptEncoding) ?? learnCodings(acceptEncoding);
  lastSent = acceptEncoding;
  return lastCodings;
}

function learnCodings(acceptEncoding: string): readonly Encoding[] {
  const codings = readCodings(acceptEncoding);
  if (known.size >= maxKnown) known.clear();
  known.set(acceptEncoding, codings);
  return codings;
}

function readCodings(acceptEncoding: string): readonly Encoding[] {
  const qualities = qualitiesOf(acceptEncoding);
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0;
  const [br, gzip] = [qualityOf('br'), qualityOf('gzip')];
  if (br <= 0) return gzip > 0 ? onlyGzip : none;
  if (gzip <= 0) return onlyBrotli;
  return br >= gzip ? brotliFirst : gzipFirst;
}

const none: readonly Encoding[] = [];
const onlyGzip: readonly Encoding[] = ['gzip'];
const onlyBrotli: readonly Encoding[] = ['br'];
const brotliFirst: readonly Encoding[] = ['br', 'gzip'];
const gzipFirst: readonly Encoding[] = ['gzip', 'br'];

/** The quality of each coding by its name; `x-gzip` is another name of gzip. */
function qualitiesOf(acceptEncoding: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const quality = parameters.map((text) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(text)?.[1]).find(Boolean);
    qualities.set(name === 'x-gzip' ? 'gzip' : name, Number(quality ?? 1));
  }
  return qualities;
}
