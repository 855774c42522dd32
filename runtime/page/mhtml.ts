import { hash } from 'node:crypto';

export interface ArchivedDocument {
  readonly html: string;
  readonly title: string;
  /** Absolute address of the document. */
  readonly url: string;
  readonly date: Date;
}

/** A multipart file as text, and its content type, which names the boundary of the parts. */
export interface Archive {
  readonly text: string;
  readonly contentType: string;
}

/** A file that the document shows. */
export interface ArchivedPart {
  /** Absolute address. */
  readonly location: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/**
 * A document as a single file (MHTML, RFC 2557). The file begins with the headers of a message, so that it
 * can be opened from disk. Over HTTP these headers are the preamble, which multipart readers skip.
 */
export function createArchive(
  { html, title, url, date }: ArchivedDocument,
  parts: readonly ArchivedPart[],
): Archive {
  const boundary = `----Incipit-${hash('sha256', html).slice(0, 32)}`;
  const contentType = `multipart/related; type="text/html"; boundary="${boundary}"`;
  const lines = [
    'From: <Saved by Incipit>',
    `Snapshot-Content-Location: ${url}`,
    `Subject: ${encodedWord(title)}`,
    `Date: ${date.toUTCString()}`,
    'MIME-Version: 1.0',
    `Content-Type: ${contentType}`,
    '',
    ...partLines(boundary, { location: url, mime: 'text/html; charset=utf-8', bytes: Buffer.from(html) }),
    ...parts.flatMap((part) => partLines(boundary, part)),
    `--${boundary}--`,
    '',
  ];
  return { text: lines.join('\r\n'), contentType };
}

function partLines(boundary: string, { location, mime, bytes }: ArchivedPart): string[] {
  return [
    `--${boundary}`,
    `Content-Type: ${mime}`,
    'Content-Transfer-Encoding: base64',
    `Content-Location: ${location}`,
    '',
    Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  ];
}

/** A header text of any characters (RFC 2047), split so that no line becomes too long. */
function encodedWord(text: string): string {
  return [...text.slice(0, 200)]
    .reduce<string[]>((words, character) => {
      const last = words.at(-1);
      if (last === undefined || Buffer.byteLength(last + character) > 45) words.push(character);
      else words[words.length - 1] = last + character;
      return words;
    }, [])
    .map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`)
    .join('\r\n ');
}
