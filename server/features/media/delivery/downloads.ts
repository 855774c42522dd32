import type { Download } from '../../../feature.ts';
import { isPrefetch, purposeHeaders } from '../../../http/prefetch.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../../../http/public-exchange.ts';

const prefix = '/media/';

/** Files that pages are made of. */
const partsOfPages =
  /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|tiff?|heic|heif|jxl|woff2?|ttf|otf|eot|css|m?js|json|map)$/i;

/** What `Sec-Fetch-Dest` says where a person opens or saves a file, and where a script or an old browser loads it. */
const opened: ReadonlySet<string> = new Set(['', 'document', 'empty']);

const counted: ReadonlySet<string> = new Set(['200', '206', '304']);

/**
 * The same handler; it notes which of its answers are downloads (Data, Automation and Operations, "Statistics and
 * country data"). Those are never given by other threads, which would not note them.
 */
export function countDownloads(handler: PublicHandler, note: (visit: Download) => void): PublicHandler {
  return (request) => {
    const visit = isDownload(request) ? visitOf(request) : undefined;
    const answer = handler(request);
    if (partsOfPages.test(request.path)) return answer;
    const done = (response: PublicResponse): PublicResponse => {
      if (visit !== undefined && counted.has(response.status.slice(0, 3))) note(visit);
      return response.shared === undefined ? response : { ...response, shared: undefined };
    };
    return answer instanceof Promise ? answer.then(done) : done(answer);
  };
}

function isDownload(request: PublicRequest): boolean {
  if (request.method !== 'GET' || !request.path.startsWith(prefix) || partsOfPages.test(request.path))
    return false;
  if (!opened.has(request.header('sec-fetch-dest').toLowerCase())) return false;
  const isInAdvance = purposeHeaders.some((name) => isPrefetch(request.header(name)));
  return !isInAdvance && beginsAtStart(request.header('range'));
}

/** Whether a request is for the whole file or for its beginning; a player asks for the rest in further requests. */
function beginsAtStart(range: string): boolean {
  return range === '' || /^\s*bytes\s*=\s*0+\s*-/i.test(range);
}

function visitOf(request: PublicRequest): Download {
  const cookie = request.cookie;
  return {
    at: Date.now(),
    times: 1,
    host: request.host,
    path: request.path.slice(prefix.length),
    referer: request.header('referer'),
    userAgent: request.header('user-agent'),
    peer: request.peer(),
    forwardedFor: request.header('x-forwarded-for'),
    cookie: cookie.includes('ic_session=') ? cookie : '',
  };
}
