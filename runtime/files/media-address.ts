/** Reads the addresses of files and their variants. */

/** Which form of a file an address names. */
export interface MediaAddress {
  /** Path of the file below /media/. */
  readonly path: string;
  /** Another format, from `?format=` or the suffix `.webp`. */
  readonly format: 'webp' | 'avif' | undefined;
  /** From `?w=`. */
  readonly width: number | undefined;
  /** From `?thumb=`. */
  readonly crop: { readonly width: number; readonly height: number } | undefined;
  /** Whether the address ends in `.webp` beyond the path of the file. */
  readonly bySuffix: boolean;
}

/** Largest side of a crop in pixels. */
const maxCropSide = 2560;

/**
 * The parts of an address below /media/; undefined for one that no file can have. Paths of files have only plain
 * characters, so an address with escapes is another address. Parameters that are not understood are ignored.
 *
 * @param path raw, beginning with `/media/` @param query raw, without `?`
 */
export function readAddress({
  path,
  query,
}: {
  readonly path: string;
  readonly query: string;
}): MediaAddress | undefined {
  const name = /^\/media\/([a-z0-9_-]+\.[a-z0-9]{1,11}(?:\.webp)?)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  const bySuffix = /\..*\.webp$/.test(name);
  const file = bySuffix ? name.slice(0, -'.webp'.length) : name;
  if (query === '')
    return { path: file, format: bySuffix ? 'webp' : undefined, width: undefined, crop: undefined, bySuffix };
  const parameters = new URLSearchParams(query);
  const asked = parameters.get('format');
  const format = bySuffix || asked === 'webp' ? 'webp' : asked === 'avif' ? 'avif' : undefined;
  const width = /^[1-9]\d{0,4}$/.exec(parameters.get('w') ?? '')?.[0];
  return {
    path: file,
    format,
    width: width === undefined ? undefined : Number(width),
    crop: cropIn(parameters.get('thumb') ?? ''),
    bySuffix,
  };
}

function cropIn(text: string): MediaAddress['crop'] {
  const [, width, height] = /^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(text) ?? [];
  const crop = { width: Number(width), height: Number(height) };
  return width === undefined || Math.max(crop.width, crop.height) > maxCropSide ? undefined : crop;
}
