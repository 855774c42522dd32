import { BodyBuilder, type BodyParts } from './body-parts.ts';

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
