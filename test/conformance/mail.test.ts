import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { contentFile } from '../support/shared-database.ts';
import { bodyOf, type SmtpReceiver, startSmtp, tlsFixture } from '../support/smtp.ts';

/** Data, Automation and Operations, "System, security, mail, storage settings"; open points, "System". */

let server: InProcessServer;
let dataDir = '';
const open: SmtpReceiver[] = [];

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), tlsFixture('cert')]);
  server = await startInProcess({
    prepare: (folder) => {
      dataDir = folder;
    },
  });
});
afterEach(async () => {
  for (const smtp of open.splice(0)) await smtp.close();
  await callOk(server, 'PUT', '/system/mail', { host: '', port: 587, user: '', from: '', password: '' });
});
afterAll(() => server.stop());

async function smtpWith(options: Parameters<typeof startSmtp>[0] = {}): Promise<SmtpReceiver> {
  const smtp = await startSmtp(options);
  open.push(smtp);
  return smtp;
}

const put = (body: object) => callOk(server, 'PUT', '/system/mail', body);
const send = (to: unknown) => call(server, 'POST', '/system/mail/test', { body: { to } });
const failed = { status: 502, code: 'mail.failed' };

describe('the settings', () => {
  const initial = { host: '', port: 587, user: '', from: '', has_password: false };

  it('are merged, and the password is never shown', async () => {
    expect(await callOk(server, 'GET', '/system/mail')).toEqual(initial);
    const settings = { host: 'smtp.example.com', port: 465, user: 'shop', from: 'Shop <shop@example.com>' };
    const saved = { ...settings, has_password: true };
    expect(await put({ ...settings, password: 'very secret' })).toEqual(saved);
    expect(await put({ user: 'other' })).toEqual({ ...saved, user: 'other' });
    expect(await put({})).toEqual({ ...saved, user: 'other' });
    expect(await callOk(server, 'GET', '/system/mail')).toEqual({ ...saved, user: 'other' });
    for (const ending of ['', '-wal'])
      expect(readFileSync(contentFile(dataDir) + ending).includes('very secret')).toBe(false);
    expect(await put({ password: '' })).toMatchObject({ host: 'smtp.example.com', has_password: false });
  });

  it.each([
    ['host', 1],
    ['host', 'smtp.example.com:25'],
    ['host', 'smtp://example.com'],
    ['host', 'a b'],
    ['host', 'a\r\nb'],
    ['host', '169.254.169.254'],
    ['host', 'fd00:ec2::254'],
    ['host', 'x'.repeat(254)],
    ['port', 0],
    ['port', 65_536],
    ['port', '25'],
    ['port', 2.5],
    ['user', 'a\nb'],
    ['user', null],
    ['from', 'nobody'],
    ['from', 'a@b.test, c@d.test'],
    ['from', 'a@b.test\r\nBcc: c@d.test'],
    ['from', '"a@evil.test x"@b.test'],
    ['password', 'a\nb'],
    ['password', null],
    ['password', 'x'.repeat(1001)],
  ])('refuse %s %j', async (field, value) => {
    const answer = await call(server, 'PUT', '/system/mail', { body: { [field]: value } });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
    expect(await callOk(server, 'GET', '/system/mail')).toEqual(initial);
  });

  it('the test without settings fails', async () => {
    expect(outcomeOf(await send('a@b.test'))).toEqual({ status: 502, code: 'mail.notConfigured' });
    await put({ host: '127.0.0.1', user: 'no-address' });
    expect(outcomeOf(await send('a@b.test'))).toEqual({ status: 502, code: 'mail.notConfigured' });
  });
});

describe('the conversation', () => {
  it('without a user needs neither TLS nor login', async () => {
    const smtp = await smtpWith({ disabledCommands: ['STARTTLS', 'AUTH'] });
    await put({ host: 'localhost', port: smtp.port, from: 'Shop <shop@one.test>' });
    expect((await send('ada@two.test, Bob <bob@two.test>')).status).toBe(204);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({
      from: 'shop@one.test',
      to: ['ada@two.test', 'bob@two.test'],
      login: undefined,
      isSecure: false,
    });
    expect(mail?.raw).toContain('From: Shop <shop@one.test>\r\n');
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated\r\n');
    expect(mail && bodyOf(mail)).toContain('The settings of the mail server work.');
  });

  it('without a user takes STARTTLS where it is offered', async () => {
    const smtp = await smtpWith();
    await put({ host: '127.0.0.1', port: smtp.port, from: 'shop@one.test' });
    expect((await send('ada@two.test')).status).toBe(204);
    expect(smtp.received).toMatchObject([{ isSecure: true, login: undefined }]);
  });

  it('with a user logs in after STARTTLS; the user is the sender', async () => {
    const smtp = await smtpWith({ authOptional: false });
    await put({ host: 'localhost', port: smtp.port, user: 'shop@one.test', password: 'pass wörd' });
    expect((await send('ada@two.test')).status).toBe(204);
    expect(smtp.received).toMatchObject([
      { from: 'shop@one.test', isSecure: true, login: 'shop@one.test pass wörd' },
    ]);
  });

  it('with a user sends nothing to a server without STARTTLS', async () => {
    const smtp = await smtpWith({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    await put({ host: 'localhost', port: smtp.port, user: 'shop@one.test', password: 'secret' });
    const answer = await send('ada@two.test');
    expect(outcomeOf(answer)).toEqual(failed);
    expect(asRecord(answer.body)['error']).toContain('no STARTTLS');
    expect(smtp).toMatchObject({ logins: [], received: [] });
  });

  it('with a user sends nothing to a server that takes no login', async () => {
    const smtp = await smtpWith({ disabledCommands: ['AUTH'] });
    await put({ host: 'localhost', port: smtp.port, user: 'shop@one.test', password: 'secret' });
    expect(outcomeOf(await send('ada@two.test'))).toEqual(failed);
    expect(smtp.received).toEqual([]);
  });

  it('tells what the server says, without the password', async () => {
    const smtp = await smtpWith();
    await put({ host: 'localhost', port: smtp.port, user: 'shop@one.test', password: 'wrong' });
    const refused = await send('ada@two.test');
    expect(outcomeOf(refused)).toEqual(failed);
    expect(asRecord(refused.body)['error']).toContain('Invalid credentials ***');
    expect(JSON.stringify(refused.body)).not.toContain('wrong');

    await put({ password: 'right' });
    const unknown = await send('refused@two.test');
    expect(outcomeOf(unknown)).toEqual(failed);
    expect(asRecord(unknown.body)['error']).toContain('User unknown');
    const partly = await send('ada@two.test, refused@two.test');
    expect(outcomeOf(partly)).toEqual(failed);
    expect(asRecord(partly.body)['error']).toContain('it was sent, but the server refuses refused@two.test');
    expect(smtp.received).toMatchObject([{ to: ['ada@two.test'] }]);
  });

  it('a server that cannot be reached is named', async () => {
    const smtp = await smtpWith();
    await put({ host: '127.0.0.1', port: smtp.port, from: 'shop@one.test' });
    await smtp.close();
    const answer = await send('ada@two.test');
    expect(outcomeOf(answer)).toEqual(failed);
    expect(asRecord(answer.body)['error']).toContain('refuses connections');
    open.splice(0);
  });
});

describe('recipients', () => {
  it.each([
    ['another header', 'a@b.test\r\nBcc: c@d.test'],
    ['a line feed', 'a@b.test\nRCPT TO:<c@d.test>'],
    ['a NUL', 'a@b.test\0'],
    ['none', ''],
    ['only commas', ' , '],
    ['no address', 'nobody'],
    ['a quoted address', '"a@evil.test x"@b.test'],
    ['two in one', 'a@b.test@c.test'],
    ['a group', 'Team: a@b.test, c@d.test;'],
    ['what remains of another header', 'a@b.testBcc: c@d.test'],
    ['101', Array.from({ length: 101 }, (_, index) => `a${index}@b.test`).join()],
    ['a long one', `${'a'.repeat(250)}@b.test`],
    ['an object', { path: 'secret.key' }],
    ['a list', ['a@b.test']],
  ])('refuses %s', async (_name, to) => {
    const smtp = await smtpWith();
    await put({ host: '127.0.0.1', port: smtp.port, from: 'shop@one.test' });
    const answer = await send(to);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field: 'to' });
    expect(smtp.received).toEqual([]);
  });

  it('takes 100', async () => {
    const smtp = await smtpWith();
    await put({ host: '127.0.0.1', port: smtp.port, from: 'shop@one.test' });
    const to = Array.from({ length: 100 }, (_, index) => `a${index}@b.test`);
    expect((await send(to.join(', '))).status).toBe(204);
    expect(smtp.received).toMatchObject([{ to }]);
  });
});
