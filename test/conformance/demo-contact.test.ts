import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { bodyOf, type SmtpReceiver, startSmtp } from '../support/smtp.ts';

/** The contact form of the demo website: page, public HTTP input, entry, mail, and the answer on the page. */

let server: InProcessServer;
let smtp: SmtpReceiver;
let workflow: unknown;

beforeAll(async () => {
  smtp = await startSmtp({ disabledCommands: ['STARTTLS', 'AUTH'] });
  server = await startInProcess();
  await server.app.installDemo(server.url);
  workflow = (await callList(server, '/workflows'))[0]?.['id'];
});
beforeEach(() => setMail({ host: 'localhost', port: smtp.port, from: 'web@weighhouse.example' }));
afterEach(async () => {
  smtp.received.length = 0;
  for (const { id } of await questions())
    await callOk(server, 'DELETE', `/collections/questions/items/${id}`);
});
afterAll(async () => {
  await server.stop();
  await smtp.close();
});

const setMail = (settings: object) => callOk(server, 'PUT', '/system/mail', settings);
const questions = () => callList(server, '/collections/questions/items');
const runs = () => callList(server, `/workflows/${workflow}/runs`);
const page = async (path: string): Promise<string> => (await fetch(server.url + path)).text();

const asked = {
  language: 'en',
  name: 'Ada Byron',
  email: 'ada@example.org',
  topic: 'archive',
  message: 'How heavy is <b>noon</b>?\r\nAnd midnight?',
  may_print: 'yes',
  website: '',
};

/** Sends the form as a browser does that runs no script. */
async function send(fields: Readonly<Record<string, string>>) {
  const answer = await fetch(`${server.url}/api/v1/flows/contact`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return { status: answer.status, to: answer.headers.get('location'), body: await answer.text() };
}

describe.each([
  ['/about/contact', '/about/contact/sent', 'en', '<h1>Thank you</h1>'],
  ['/de/haus/kontakt', '/de/haus/kontakt/gesendet', 'de', '<h1>Danke</h1>'],
])('the form on %s', (path, thanks, language, heading) => {
  it('has all fields that the workflow takes', async () => {
    const html = await page(path);
    expect(html).toContain('<form class="form" method="post" action="/api/v1/flows/contact">');
    const names = [...html.matchAll(/ name="(\w+)"(?! content)/g)].map(([, name]) => name);
    expect(names.filter((name) => name !== 'viewport')).toEqual(expect.arrayContaining(Object.keys(asked)));
    expect(html).toContain(`name="language" value="${language}"`);
  });

  it('leads to the page of thanks', async () => {
    expect(await send({ ...asked, language })).toEqual({ status: 303, to: thanks, body: '' });
    expect(await page(thanks)).toContain(heading);
  });

  it('shows a question when it is answered and published', async () => {
    await send({ ...asked, language });
    const [question] = await questions();
    expect(await page(path)).not.toContain('midnight');
    await callOk(server, 'PUT', `/collections/questions/items/${question?.['id']}`, {
      published: true,
      data: { answer: 'Twelve strokes.' },
    });
    const html = await page(path);
    expect(html).toContain('<summary>How heavy is &lt;b&gt;noon&lt;/b&gt;?\nAnd midnight?</summary>');
    expect(html).toContain('<p>Twelve strokes.</p>');
    expect(html).not.toContain('Ada Byron');
  });
});

it('keeps what was sent as a draft that only those with a credential can read', async () => {
  await send(asked);
  const { website: _trap, ...data } = asked;
  const kept = { ...data, message: data.message.replace('\r\n', '\n'), may_print: true, answer: null };
  expect(await questions()).toMatchObject([{ published: false, data: kept }]);
  expect(await callList(server, '/data/questions')).toMatchObject([{ name: 'Ada Byron', published: false }]);
  expect((await call(server, 'GET', '/data/questions', { token: null })).status).toBe(404);
  expect(await callOk(server, 'GET', '/collections/questions')).toMatchObject({ live: true });
});

it('tells the desk by mail, which can answer the visitor', async () => {
  await send({ ...asked, name: 'Grace' });
  const find = () => smtp.received.find((mail) => bodyOf(mail).startsWith('Grace <ada@example.org> writes:'));
  await expect.poll(find).toBeDefined();
  const mail = find();
  expect(mail).toMatchObject({ from: 'web@weighhouse.example', to: ['desk@weighhouse.example'] });
  expect(mail?.raw).toContain('Reply-To: ada@example.org\r\n');
  expect(mail?.raw).toMatch(/^Subject: Question \d+: archive\r$/m);
  expect(mail && bodyOf(mail)).toContain('How heavy is <b>noon</b>?');
});

it('works without a mail server: the question is kept, no mail is tried, and the run is no failure', async () => {
  await setMail({ host: '' });
  expect(await send({ ...asked, name: 'Linus' })).toMatchObject({ status: 303, to: '/about/contact/sent' });
  expect(await questions()).toHaveLength(1);
  const find = async () => (await runs()).find(({ trace }) => JSON.stringify(trace).includes('Linus'));
  await expect.poll(find).toBeDefined();
  expect(await find()).toMatchObject({ status: 'ok', error: '', trigger: 'http' });
  expect(smtp.received).toEqual([]);
});

it('answers what is wrong with a page that says so, and keeps nothing', async () => {
  const { status, to, body } = await send({
    ...asked,
    name: ' ',
    email: 'nobody',
    message: '</textarea>'.repeat(500),
  });
  expect({ status, to }).toEqual({ status: 422, to: null });
  expect([...body.matchAll(/<li>(.*)<\/li>/g)].map(([, fault]) => fault)).toEqual([
    'Your name is missing.',
    'What you gave as your e-mail address is none.',
    'Your question is longer than 5,000 characters.',
  ]);
  expect(body.match(/<\/textarea>/g)).toHaveLength(1);
  expect(body).toContain('<a href="/about/contact">Back to the form</a>');
  expect(await questions()).toEqual([]);
});

it.each([
  ['German', new URLSearchParams({ language: 'de' }), 'Ihr Name fehlt.'],
  ['empty', '', 'Your name is missing.'],
  ['double', new URLSearchParams([...Object.entries(asked), ['name', 'Eve']]), 'Your name is missing.'],
  ['plain text', 'name=Ada', 'The question itself is missing.'],
])('answers a form that is %s', async (_name, body, fault) => {
  const answer = await fetch(`${server.url}/api/v1/flows/contact`, { method: 'POST', body });
  expect(answer.status).toBe(422);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toContain(`<li>${fault}</li>`);
});

it('thanks a robot that fills in the hidden field, and keeps nothing', async () => {
  expect(await send({ ...asked, website: 'https://robot.example' })).toEqual({
    status: 303,
    to: '/about/contact/sent',
    body: '',
  });
  expect(await questions()).toEqual([]);
  const find = async () =>
    (await runs()).find(({ trace }) => JSON.stringify(trace).includes('https://robot.example'));
  await expect.poll(find).toBeDefined();
  const steps = JSON.stringify((await find())?.['trace']).match(/(?<="node":")\w+/g);
  expect(steps).toEqual(['post', 'check', 'done', 'thanks']);
});
