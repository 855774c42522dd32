/** Percent-encoding as Python's `urllib.parse` does it. */

/** Characters of URLs that Django leaves alone where a whole URL is quoted. */
export const URL_RESERVED = "/#%[]=:;$&()+,!?*@'~";

/** Every character but letters, digits, `_.-~` and those in `safe`, as UTF-8 in `%XX`. */
export function quote(text: string, safe: string): string {
  return text.toWellFormed().replace(/[^A-Za-z0-9_.~-]+/g, (run) => {
    let out = '';
    for (const char of run) out += safe.includes(char) ? char : percentEncode(char);
    return out;
  });
}

/** As `quote` without safe characters, spaces as `+`: for the parts of a query string. */
export function quotePlus(text: string): string {
  return quote(text, ' ').replaceAll(' ', '+');
}

/** `%XX` decoded; bytes that are no UTF-8 become U+FFFD. */
export function unquote(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    decoder.decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function percentEncode(char: string): string {
  return ENCODED_ASCII[char.charCodeAt(0)] ?? encodeURIComponent(char);
}

/** By character code. `encodeURIComponent` alone would keep `!'()*`. */
const ENCODED_ASCII: readonly string[] = Array.from(
  { length: 128 },
  (_, code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`,
);
