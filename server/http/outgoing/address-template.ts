import { OutgoingError } from './errors.ts';

/** A value in an address: that of a placeholder. */
export interface AddressValue {
  readonly value: string;
  /** The author of the address has chosen where the value comes from, so it may name a host or a port. */
  readonly mayNameHost: boolean;
}

export type AddressPart = string | AddressValue;

/**
 * An address of fixed text and values. Every value stays where the author has put it: within one segment of the
 * path, one part of the query or one label of the host.
 *
 * @throws OutgoingError `urlInvalid`; it names no value
 */
export function fillAddress(parts: readonly AddressPart[]): string {
  const marked = parts
    .map((part, index) => (typeof part === 'string' ? part.replaceAll(dropped, '') : `\0${index}\0`))
    .join('');
  const [, start = '', host = '', path = '', rest = ''] =
    /^([a-z]+:[/\\]{2})([^/\\?#]*)([^?#]*)(.*)$/is.exec(marked) ?? [];
  if (start === '') throw new OutgoingError('urlInvalid', '', 'is not a complete URL');
  const fill = (text: string) =>
    text.replaceAll(marker, (_, index) => encodeURIComponent(valueAt(parts, index).value.toWellFormed()));
  const segments = path.split(/[/\\]/).map((segment) => {
    const filled = fill(segment);
    if (filled !== segment && hasDotSegment(filled))
      throw new OutgoingError('urlInvalid', '', 'would leave its path through a placeholder ("." or "..")');
    return filled;
  });
  return `${start}${fillHost(host, parts)}${segments.join('/')}${fill(rest)}`;
}

/**
 * True if a part of a path means "this folder" or "the folder above" to anyone on the way: as it is, encoded
 * once or several times, with backslashes, or with what browsers and servers leave out.
 */
export function hasDotSegment(path: string): boolean {
  let text = path;
  for (let times = 0; times < maxDecodings; times++) {
    if (dotSegment.test(text.replaceAll(invisible, ''))) return true;
    const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** What is encoded more often than this is refused. */
const maxDecodings = 8;
/** Some servers cut a segment at a semicolon before they resolve it. */
const dotSegment = /(?:^|[/\\])\.{1,2}(?:;[^/\\]*)?(?:[/\\]|$)/;
const invisible = /[\p{Cc} ]/gu;

/** What parsing an address leaves out anyway, and the delimiter of the markers. */
const dropped = /[\p{Cc}]/gu;
/** The place of a value, named by its index among the parts. */
const marker = /\0(\d+)\0/g;

function valueAt(parts: readonly AddressPart[], index: string): AddressValue {
  const part = parts[Number(index)];
  return typeof part === 'object' ? part : { value: '', mayNameHost: false };
}

/** @throws OutgoingError `urlInvalid` for a value that is more than a label, or a host or port where it may be */
function fillHost(host: string, parts: readonly AddressPart[]): string {
  if (!host.includes('\0')) return host;
  const [name = '', port, ...more] = host.split(':');
  const labels = name.split('.');
  const names = labels.map((label, position) => {
    const isFixed = position < labels.length - 2 || !label.includes('\0');
    return isFixed ? fillWith(label, parts, labelText) : wholeValue(label, parts, hostText);
  });
  if (more.length > 0) throw hostRefusal();
  return `${names.join('.')}${port === undefined ? '' : `:${wholeValue(port, parts, portText)}`}`;
}

const labelText = /^[\p{L}\p{N}-]{1,63}$/u;
const hostText = /^[\p{L}\p{N}.-]{1,253}$/u;
const portText = /^\d{1,5}$/;

function fillWith(text: string, parts: readonly AddressPart[], pattern: RegExp): string {
  return text.replaceAll(marker, (_, index) => {
    const { value } = valueAt(parts, index);
    if (!pattern.test(value)) throw hostRefusal();
    return value;
  });
}

/** Text without values, or a value of the author's choice and nothing else. */
function wholeValue(text: string, parts: readonly AddressPart[], pattern: RegExp): string {
  if (!text.includes('\0')) return text;
  const index = /^\0(\d+)\0$/.exec(text)?.[1];
  if (index === undefined || !valueAt(parts, index).mayNameHost) throw hostRefusal();
  return fillWith(text, parts, pattern);
}

function hostRefusal(): OutgoingError {
  return new OutgoingError('urlInvalid', '', 'has a placeholder in its host whose value may not be there');
}
