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
  let separator = '[';
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    body.add(separator + JSON.stringify(slice).slice(1, -1));
    separator = ',';
  }
  body.add(separator === '[' ? '[]' : ']');
  return body.finish();
}
