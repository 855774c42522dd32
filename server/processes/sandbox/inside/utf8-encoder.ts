/**
 * `TextEncoder` as the author's code sees it.
 *
 * The text of this class runs in the isolate, so it may use nothing outside of itself.
 */
export class Utf8Encoder {
  get encoding(): string {
    return 'utf-8';
  }

  /** UTF-8; half a surrogate pair becomes U+FFFD. */
  encode(text: unknown = ''): Uint8Array {
    const escaped = encodeURIComponent(String(text).toWellFormed());
    const bytes = new Uint8Array(escaped.length);
    let length = 0;
    for (let at = 0; at < escaped.length; at += 1) {
      if (escaped[at] === '%') {
        bytes[length] = Number.parseInt(escaped.slice(at + 1, at + 3), 16);
        at += 2;
      } else bytes[length] = escaped.charCodeAt(at);
      length += 1;
    }
    return bytes.slice(0, length);
  }
}
