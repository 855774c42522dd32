/** Text as the trash stores it. Tables that nodes share have no bytes, so packed text is written as base64. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Shorter text is hardly smaller when it is packed. */
const minLength = 300;
/** The fastest: the main thread packs. */
const level = 1;

export function packText(text: string): string {
  return text.length < minLength ? `=${text}` : `~${deflateRawSync(text, { level }).toString('base64')}`;
}

export function unpackText(packed: string): string {
  const rest = packed.slice(1);
  return packed.startsWith('=') ? rest : inflateRawSync(Buffer.from(rest, 'base64')).toString();
}
