/** The tutorial in `server/docs/`: its commands run as written, and the responses contain what follows each of them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';

interface Step {
  readonly command: string;
  /** Language of the block with the answer: `json`, or another one for lines of text. */
  readonly format: string;
  readonly answer: string;
}

const tutorial = readFileSync(new URL('../../server/docs/tutorial.md', import.meta.url), 'utf8');
const steps: readonly Step[] = [
  ...tutorial.matchAll(/^```sh\n([\s\S]*?)\n```\n\n```(\w+)\n([\s\S]*?)\n```$/gm),
].map(([, command = '', format = '', answer = '']) => ({ command, format, answer }));

/** Printed between the answers. */
const separator = '-- end of the answer --';
let server: TestServer;
let answers: readonly string[];

beforeAll(async () => {
  server = await startServer();
  const token = await addToken(server, 'tutorial', true);
  const env = { ...process.env, no_proxy: '*', SITE: server.url, TOKEN: token };
  const script = steps.map(({ command }) => `${command}\nprintf '\\n%s\\n' '${separator}'\n`).join('');
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], { env });
  answers = stdout.split(`\n${separator}\n`);
});

afterAll(() => server.stop());

test('the tutorial has ten commands and a last look, each with its answer', () => {
  expect(tutorial.match(/^```sh$/gm)).toHaveLength(11);
  expect(tutorial.match(/^curl /gm)).toHaveLength(11);
  expect(steps).toHaveLength(11);
});

test.each(steps.map((step, index) => [index + 1, step] as const))('answer %d', (number, step) => {
  const answer = answers[number - 1] ?? '';
  if (step.format === 'json') expect(JSON.parse(answer)).toMatchObject(JSON.parse(step.answer));
  else expect(linesFound(step.answer.split('\n'), answer)).toEqual(step.answer.split('\n'));
});

/** The leading ones of these lines that the text contains in this order. */
function linesFound(lines: readonly string[], text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const line of lines) {
    const at = text.indexOf(line, from);
    if (at < 0) break;
    found.push(line);
    from = at + line.length;
  }
  return found;
}
