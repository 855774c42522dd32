import { BodyParts } from './body-parts.ts';

/** The JSON of a long list, made slice by slice; who gives the slices lets others run in between. */
export async function slicedJson(slices: AsyncIterable<readonly unknown[]>): Promise<BodyParts> {
  const parts: Uint8Array[] = [];
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    const entries = JSON.stringify(slice).slice(1, -1);
    parts.push(Buffer.from(`${parts.length === 0 ? '[' : ','}${entries}`));
  }
  parts.push(Buffer.from(parts.length === 0 ? '[]' : ']'));
  return new BodyParts(parts);
}
