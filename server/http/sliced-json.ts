/**
 * The JSON of a long list, made in slices. Between slices the event loop gets its turn, so that other requests
 * do not wait for the whole list.
 */
export async function slicedJson(slices: AsyncIterable<readonly unknown[]>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    const entries = JSON.stringify(slice).slice(1, -1);
    parts.push(Buffer.from(parts.length === 0 ? entries : `,${entries}`));
    await nextTurn();
  }
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
