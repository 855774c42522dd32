/** Percent-encoding as Python's `urllib.parse` does it. */

/** Characters that Django does not encode in a whole URL. */
export const urlReserved = "/#%[]=:;$&()+,!?*@'~";

/** Encodes all characters except letters, digits, `_.-~` and those in `safe`: their UTF-8 bytes as `%XX`. */
export function quote(text: string, safe: string): string {
  if (!needsQuoting.test(text)) return text;
  if (safe === '' || safe === '/') return quoteNatively(text, safe === '/');
  return text.toWellFormed().replace(/[^A-Za-z0-9_.~-]+/g, (run) => {
    let out = '';
    for (const char of run) out += safe.includes(char) ? char : percentEncode(char);
    return out;
  });
}

/** `encodeURIComponent` keeps `!'()*`, and throws for halves of characters. */
function quoteNatively(text: string, keepsSlash: boolean): string {
  const out = encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed());
  if (!isOther.test(text)) return out;
  const encoded = out.replace(/[!'()*]/g, percentEncode);
  return keepsSlash ? encoded.replaceAll('%2F', '/') : encoded;
}

/** What `encodeURIComponent` may write otherwise. */
const isOther = /[!'()*/]/;

const needsQuoting = /[^A-Za-z0-9_.~-]/;

/** As `quote` without safe characters, spaces as `+`: for the parts of a query string. */
export function quotePlus(text: string): string {
  return quote(text, ' ').replaceAll(' ', '+');
}

/** Decodes `%XX`; bytes that are not UTF-8 become U+FFFD. */
export function unquote(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    decoder.decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function percentEncode(char: string): string {
  return encodedAscii[char.charCodeAt(0)] ?? encodeURIComponent(char);
}

/** By character code. `encodeURIComponent` alone would keep `!'()*`. */
const encodedAscii: readonly string[] = Array.from(
  { length: 128 },
  (_, code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`,
);
