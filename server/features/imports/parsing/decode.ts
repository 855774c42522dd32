/** From bytes to text as browsers do it (WHATWG Encoding and HTML, "Determining the character encoding"). */
import { readFileSync } from 'node:fs';
import sniffHtmlEncoding from 'html-encoding-sniffer';

export interface DecodedText {
  readonly text: string;
  /** Name of the encoding in lower case. */
  readonly encoding: string;
}

/** The text of a page. A page that names no encoding is UTF-8 if its bytes are, else windows-1252. */
export function decodePage(file: string, contentType: string): DecodedText {
  const bytes = readFileSync(file);
  const transportLayerEncodingLabel = charsetOf(contentType);
  const encoding = sniffHtmlEncoding(bytes, {
    ...(transportLayerEncodingLabel === undefined ? {} : { transportLayerEncodingLabel }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  });
  return decode(bytes, encoding);
}

/** The text of a style sheet: byte order mark, header, `@charset`, else UTF-8 (CSS Syntax 3, 3.2). */
export function decodeCss(file: string, contentType: string): string {
  const bytes = readFileSync(file);
  const [, declared] = /^@charset "([^"]{1,40})";/.exec(bytes.toString('latin1', 0, 1024)) ?? [];
  return decodeCode(bytes, charsetOf(contentType) ?? declared);
}

/** The text of a script. */
export function decodeJs(file: string, contentType: string): string {
  return decodeCode(readFileSync(file), charsetOf(contentType));
}

function decodeCode(bytes: Buffer, label: string | undefined): string {
  const fallback = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  return decode(bytes, markOf(bytes) ?? (label !== undefined && isLabel(label) ? label : fallback)).text;
}

/** The encoding that a byte order mark stands for. */
function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function decode(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(isLabel(label) ? label : 'windows-1252');
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

function isLabel(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType)?.[1];
}
