import type { PublicResponse } from '../../../http/public-exchange.ts';
import type { SharedAnswer } from '../../../http/sharing.ts';
import type { ByteRange } from '../../../storage/storage.ts';
import type { StoredFile } from '../model.ts';
import { contentType, mediaHeaders, type Visibility } from './headers.ts';
import { isUnchanged, type Validators, wantedRange } from './preconditions.ts';
import type { MediaRequest } from './request.ts';

/** One object of a file, ready to be sent. */
export interface ChosenForm extends Validators {
  readonly file: Pick<StoredFile, 'name'>;
  readonly mime: string;
  readonly size: number;
  readonly visibility: Visibility;
  /** The whole object, if it is in memory. */
  readonly bytes?: Uint8Array;
  /** Set if threads of the front may give this answer on their own. */
  readonly shared?: SharedAnswer;
}

/** An answer whose body is not in memory: `range` is to be read from the storage. */
export interface MediaAnswer extends PublicResponse {
  readonly range?: ByteRange;
}

/** The answer to a request: all bytes, a part of them, or none. */
export function respond(
  form: ChosenForm,
  { conditions, isHead }: Pick<MediaRequest, 'conditions' | 'isHead'>,
): MediaAnswer {
  const heads = headsOf(form);
  if (isUnchanged(conditions, form)) return heads.unchanged;
  const wanted = conditions.range === '' ? 'whole' : wantedRange(conditions, form, form.size);
  if (wanted === 'none') return outside(form, heads.whole.headers);
  if (wanted === 'whole') return form.bytes === undefined ? unread(form, heads.whole, isHead) : heads.whole;
  const headers: PublicResponse['headers'] = [
    ...heads.whole.headers,
    ['Content-Range', `bytes ${wanted.start}-${wanted.end}/${form.size}`],
  ];
  const body = form.bytes?.subarray(wanted.start, wanted.end + 1);
  const answer = { status: '206 Partial Content', headers, body };
  return body === undefined ? { ...answer, range: wanted } : answer;
}

interface Heads {
  readonly whole: PublicResponse;
  readonly unchanged: PublicResponse;
}

/** Made once for each form: the front keeps the text of headers that it has written before. */
const known = new WeakMap<ChosenForm, Heads>();

function headsOf(form: ChosenForm): Heads {
  const made = known.get(form) ?? makeHeads(form);
  known.set(form, made);
  return made;
}

function makeHeads(form: ChosenForm): Heads {
  const { file, mime, visibility, bytes, shared } = form;
  const headers = mediaHeaders({ name: file.name, mime }, form, visibility);
  return {
    whole: {
      status: '200 OK',
      headers: [['Content-Type', contentType(mime)], ...headers],
      body: bytes,
      shared,
    },
    unchanged: { status: '304 Not Modified', headers, body: undefined, shared },
  };
}

/** An empty file has no byte to read. A HEAD gets the length as a header, because it has no body. */
function unread({ size }: ChosenForm, whole: PublicResponse, isHead: boolean): MediaAnswer {
  if (isHead) return { ...whole, headers: [...whole.headers, ['Content-Length', String(size)]] };
  return size === 0 ? { ...whole, body: '' } : { ...whole, range: { start: 0, end: size - 1 } };
}

function outside({ size }: ChosenForm, headers: PublicResponse['headers']): PublicResponse {
  const kept = headers.filter(([name]) => name !== 'Content-Type');
  return {
    status: '416 Range Not Satisfiable',
    headers: [...kept, ['Content-Range', `bytes */${size}`]],
    body: '',
  };
}
