import { type CompressedBody, compressBody } from '../body/compressed-body.ts';
import { type Body, BodyBuilder, type BodyParts } from '../body/parts.ts';
import { jsonInSlices } from './json.ts';
import { isLongAsJson } from './writer.ts';

/** The JSON of a value, made in slices if it is long. @param value as JSON can hold it; not to be changed meanwhile */
export function jsonBody(value: unknown): Body | Promise<Body> {
  return isLongAsJson(value) ? longBody(value) : JSON.stringify(value);
}

async function longBody(value: unknown): Promise<BodyParts> {
  const body = new BodyBuilder();
  for await (const piece of jsonInSlices(value)) body.add(piece);
  return body.finish();
}

/** The JSON of a long list, made slice by slice; who gives the slices lets others run in between. */
export async function slicedJson(slices: AsyncIterable<readonly unknown[]>): Promise<BodyParts> {
  const body = new BodyBuilder();
  for await (const text of textsOf(slices)) body.add(text);
  return body.finish();
}

/** Like {@link slicedJson}, for lists that are cached: a long one is compressed while it is made. */
export async function cacheableJson(
  slices: AsyncIterable<readonly unknown[]>,
): Promise<Uint8Array | CompressedBody> {
  const texts = textsOf(slices);
  let first = '';
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    first += next.value;
    if (first.length > longBytes) return compressBody(withFirst(first, texts));
  }
  return Buffer.from(first);
}

/** JSON that is bytes already as it is cached: compressed if it is long. */
export function cacheableBytes(json: Uint8Array): Uint8Array | Promise<CompressedBody> {
  return json.length > longBytes ? compressBody(withFirst(json)) : json;
}

async function* withFirst<Piece>(first: Piece, others?: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  yield first;
  if (others !== undefined) yield* others;
}

async function* textsOf(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield separator + JSON.stringify(slice).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** Longer lists are compressed before they are cached; copying and hashing this much takes a millisecond. */
const longBytes = 2 ** 20;
