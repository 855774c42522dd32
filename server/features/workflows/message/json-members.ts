/**
 * The JSON of one member of an object, found without reading the others.
 *
 * @param json an object as `JSON.stringify` writes it, without white space
 * @param name of letters and digits, which are never escaped
 * @returns undefined if there is no such member; of something that is no JSON any part of it
 */
export function memberText(json: string, name: string): string | undefined {
  for (let at = 1; json.charCodeAt(at) === quote; ) {
    const start = endOfString(json, at) + 1;
    const end = endOfValue(json, start);
    if (start <= 0 || end <= start) return undefined;
    if (start - at === name.length + 3 && json.startsWith(name, at + 1)) return json.slice(start, end);
    at = end + 1;
  }
  return undefined;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** The position after a string that begins at `at`; -1 if it has no end. */
function endOfString(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return -1;
}

/** The position after a value that begins at `start`; -1 if it has no end. */
function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfString(json, at) - 1;
      if (at < 0) return -1;
    } else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      // The end of the object, after a value that is no container.
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === comma && depth === 0) return at;
  }
  return -1;
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}
