import { compress } from './encode.ts';
import type { CompressResult, CompressTask } from './messages/delivery.ts';

/** Another form of a body that is kept. */
export async function compressTask({ bytes, encoding, use }: CompressTask): Promise<CompressResult> {
  const compressed = compress(bytes, encoding, use);
  return { bytes: compressed.byteLength < bytes.byteLength ? compressed : undefined };
}
