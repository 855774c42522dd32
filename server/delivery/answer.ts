import type { EncodedBody } from '../../runtime/tasks/encode.ts';
import type { PublicResponse } from '../http/public.ts';
import type { HeaderScope } from '../http/security-headers.ts';
import { matchesTag } from './negotiate.ts';

export type HeaderList = PublicResponse['headers'];

/**
 * One body in every form that a request may ask for. All forms are made in advance, so that answering is only
 * a choice. The two encodings are different bytes and therefore have different strong entity tags.
 */
export interface Answer {
  readonly identityTag: string;
  readonly gzipTag: string;
  readonly identity: PublicResponse;
  readonly gzip: PublicResponse;
  readonly identityNotModified: PublicResponse;
  readonly gzipNotModified: PublicResponse;
}

/** @param headers headers of the 200 answer, without ETag, Vary and Content-Encoding */
export function createAnswer(body: EncodedBody, headers: HeaderList, scope: HeaderScope = 'all'): Answer {
  const identityTag = `"${body.tag}"`;
  const gzipTag = body.gzip === undefined ? identityTag : `"${body.tag}-gzip"`;
  const kept = headers.filter(([name]) => name !== 'Content-Type');
  const validators = (tag: string): HeaderList => [
    ['ETag', tag],
    ['Vary', 'Accept-Encoding'],
  ];
  const identity: PublicResponse = {
    status: '200 OK',
    scope,
    headers: [...headers, ...validators(identityTag)],
    body: body.identity,
  };
  const notModified = (tag: string): PublicResponse => ({
    status: '304 Not Modified',
    scope,
    headers: [...kept, ...validators(tag)],
    body: undefined,
  });
  return {
    identityTag,
    gzipTag,
    identity,
    gzip:
      body.gzip === undefined
        ? identity
        : {
            status: '200 OK',
            scope,
            headers: [...headers, ['Content-Encoding', 'gzip'], ...validators(gzipTag)],
            body: body.gzip,
          },
    identityNotModified: notModified(identityTag),
    gzipNotModified: notModified(gzipTag),
  };
}

/** The form of an answer that a request asks for. */
export function chooseForm(answer: Answer, gzip: boolean, ifNoneMatch: string): PublicResponse {
  if (ifNoneMatch !== '' && matchesTag(ifNoneMatch, answer.identityTag, answer.gzipTag)) {
    return gzip ? answer.gzipNotModified : answer.identityNotModified;
  }
  return gzip ? answer.gzip : answer.identity;
}

/** A page that ignores If-None-Match, such as a 404 page. */
export function plainPage(
  status: string,
  body: EncodedBody,
  gzip: boolean,
  headers: HeaderList,
): PublicResponse {
  if (gzip && body.gzip !== undefined) {
    return {
      status,
      scope: 'site',
      headers: [...headers, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']],
      body: body.gzip,
    };
  }
  return { status, scope: 'site', headers: [...headers, ['Vary', 'Accept-Encoding']], body: body.identity };
}

export function bodyBytes(body: EncodedBody): number {
  return body.identity.byteLength + (body.gzip?.byteLength ?? 0);
}
