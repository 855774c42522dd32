import { createHash } from 'node:crypto';
import { visit } from '../conformance/public-client.ts';
import type { TestServer } from '../support/server.ts';
import { type Variation, variations } from './variations.ts';

/** A GET request, as whom and at which host. */
export interface Question {
  readonly host: string;
  /** With the query. */
  readonly target: string;
  readonly as: 'visitor' | 'admin';
}

export interface RecordedAnswer extends Question {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as such, other text as text, bytes as their hash. */
  readonly body: unknown;
}

/** Headers that come from what is stored. ETags and dates of answers may change with the program. */
const comparedHeaders = [
  'content-type',
  'location',
  'content-language',
  'content-disposition',
  'content-security-policy',
  'content-security-policy-report-only',
  'referrer-policy',
  'x-frame-options',
  'permissions-policy',
  'x-robots-tag',
  'link',
];

/** Questions that wait together. */
const atOnce = 8;

/** Is not counted as a visitor, so that asking changes no statistics. */
const robot = 'Mozilla/5.0 (compatible; upgradebot/1.0)';

/** Those of the API come before those of visitors, which leave something behind. */
export async function answersTo(
  server: TestServer,
  questions: readonly Question[],
  session: string,
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const as of ['admin', 'visitor'] as const) {
    const asked = questions.filter((question) => question.as === as);
    while (asked.length > 0) {
      const together = asked.splice(0, atOnce);
      answers.push(...(await Promise.all(together.map((question) => answerTo(server, question, session)))));
    }
  }
  return answers;
}

export async function answerTo(
  server: Pick<TestServer, 'port'>,
  question: Question,
  session: string,
): Promise<RecordedAnswer> {
  const { host, target, as } = question;
  const { status, header, bytes } = await visit(server, target, {
    host,
    headers: {
      'User-Agent': robot,
      ...(as === 'admin' ? { Cookie: `ic_session=${session}`, 'X-IC-CSRF': '1' } : {}),
    },
  });
  const headers = Object.fromEntries(
    comparedHeaders.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const answer = { host, target, as, status, headers, body: bodyIn(bytes, headers) };
  return withoutVariations(answer, variations);
}

function bodyIn(bytes: Buffer, headers: Readonly<Record<string, string>>): unknown {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString());
  if (/^text\/|xml|javascript|multipart/.test(type)) return bytes.toString();
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** An answer without parts of its body. */
export function withoutVariations<T extends Pick<RecordedAnswer, 'target' | 'body'>>(
  answer: T,
  list: readonly Variation[],
): T {
  let { body } = answer;
  for (const { address, at, text } of list) if (address.test(answer.target)) body = without(body, at, text);
  return { ...answer, body };
}

/** Replaces the values at a path, in which `*` stands for every key. */
function without(value: unknown, at: readonly string[], text: RegExp | undefined): unknown {
  const [key, ...more] = at;
  if (key === undefined)
    return text !== undefined && typeof value === 'string' ? value.replaceAll(text, '(varies)') : '(varies)';
  if (Array.isArray(value)) return value.map((part) => (key === '*' ? without(part, more, text) : part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      key === '*' || key === name ? without(part, more, text) : part,
    ]),
  );
}

/** Names the first difference; undefined if there is none. */
export function differenceBetween(recorded: RecordedAnswer, now: RecordedAnswer): string | undefined {
  const found = firstDifference(recorded, now, '');
  return found === undefined
    ? undefined
    : `GET ${recorded.host}${recorded.target} as ${recorded.as}: ${found}`;
}

function firstDifference(before: unknown, after: unknown, path: string): string | undefined {
  if (Object.is(before, after)) return undefined;
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const found = firstDifference(Reflect.get(before, key), Reflect.get(after, key), `${path}/${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof before === 'string' && typeof after === 'string') {
    const at = [...before].findIndex((char, index) => char !== after[index]);
    const start = Math.max(0, (at < 0 ? before.length : at) - 40);
    return `${path} was …${excerpt(before.slice(start))} and is …${excerpt(after.slice(start))}`;
  }
  return `${path} was ${excerpt(before)} and is ${excerpt(after)}`;
}

function excerpt(value: unknown): string {
  return value === undefined ? 'not there' : JSON.stringify(value).slice(0, 160);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
