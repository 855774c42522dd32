import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Secrets } from '../../server/base/secrets.ts';
import { noMail } from '../../server/features/mail/model.ts';
import { type Mail, MailSender } from '../../server/features/mail/sender.ts';
import { passwordPurpose } from '../../server/features/mail/service.ts';
import { makeTempDir } from '../support/server.ts';
import { bodyOf, type SmtpReceiver, startSmtp, tlsFixture } from '../support/smtp.ts';

const dataDir = makeTempDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const secrets = new Secrets(dataDir, undefined);
let smtp: SmtpReceiver;

beforeAll(() => setDefaultCACertificates([...getCACertificates(), tlsFixture('cert')]));
beforeEach(async () => {
  smtp = await startSmtp();
});
afterEach(() => smtp.close());

/** A sender whose connections all go to the SMTP server of the test, whatever the port is. */
function senderWith(settings: object = {}, port = smtp.port): MailSender {
  const toTest = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
    });
  const stored = { ...noMail, host: 'localhost', from: 'shop@one.test', ...settings };
  return new MailSender({ secrets, outgoing: { connect: toTest } }, stored);
}
const mail: Mail = { to: 'ada@two.test', subject: 'A subject', text: 'Some text' };

it('port 465 is TLS from the start', async () => {
  const secure = await startSmtp({ secure: true });
  const password = secrets.seal('secret', passwordPurpose);
  await senderWith({ port: 465, user: 'shop', password }, secure.port).send(mail);
  expect(secure.received).toMatchObject([{ isSecure: true, login: 'shop secret' }]);
  await secure.close();
});

it('a certificate for another name gets no password', async () => {
  const password = secrets.seal('secret', passwordPurpose);
  const settings = { host: 'other.test', user: 'shop', password };
  await expect(senderWith(settings).send(mail)).rejects.toMatchObject({ code: 'mail.failed' });
  expect(smtp.logins).toEqual([]);
});

it('text, HTML, both, and an address for answers', async () => {
  const sender = senderWith();
  await sender.send({ ...mail, text: 'Grüße ✓', subject: 'Grüße ✓', replyTo: 'Ada <ada@two.test>' });
  await sender.send({ to: mail.to, subject: '', html: '<p>Grüße</p>' });
  await sender.send({ ...mail, html: '<p>Grüße</p>' });
  const [plain, html, both] = smtp.received;
  expect(plain && bodyOf(plain)).toBe('Grüße ✓');
  expect(plain?.raw).toMatch(/Subject: =\?UTF-8\?.*\?=\r\n/);
  expect(plain?.raw).toContain('Reply-To: Ada <ada@two.test>\r\n');
  expect(plain?.raw).toContain('Content-Type: text/plain; charset=utf-8\r\n');
  expect(html?.raw).toContain('Content-Type: text/html; charset=utf-8\r\n');
  expect(both?.raw).toContain('Content-Type: multipart/alternative;');
});

it('contents that name files or addresses are texts', async () => {
  // Type boundary: what a careless caller might hand over.
  const hostile = (content: unknown) => content as string;
  const file = new URL(import.meta.url).pathname;
  for (const content of [{ path: file }, { href: 'http://127.0.0.1:1/' }, { raw: 'Bcc: c@d.test\r\n\r\nx' }])
    for (const field of ['text', 'html'])
      await senderWith()
        .send({ ...mail, [field]: hostile(content) })
        .catch(() => {});
  for (const { raw, to } of smtp.received) {
    expect(raw).not.toContain(readFileSync(file, 'utf8').slice(0, 40));
    expect(to).toEqual(['ada@two.test']);
  }
});

it.each([
  ['subject', 'a\r\nBcc: c@d.test'],
  ['subject', 'x'.repeat(1001)],
  ['replyTo', 'c@d.test\r\nBcc: c@d.test'],
  ['text', 'x'.repeat(1_000_001)],
  ['html', 'x'.repeat(1_000_001)],
])('refuses a wrong %s', async (field, value) => {
  await expect(senderWith().send({ ...mail, [field]: value })).rejects.toMatchObject({
    code: 'common.invalid',
    params: { field },
  });
  expect(smtp.received).toEqual([]);
});

it('many mails share five connections; a caller that gives up waits no longer', async () => {
  const sender = senderWith();
  const many = Array.from({ length: 12 }, (_, index) => sender.send({ ...mail, subject: `${index}` }));
  const giveUp = new AbortController();
  const waiting = sender.send(mail, giveUp.signal);
  giveUp.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'mail.failed' });
  await Promise.all(many);
  expect(smtp.received).toHaveLength(12);
  const aborted = sender.send(mail, AbortSignal.abort());
  await expect(aborted).rejects.toMatchObject({ code: 'mail.failed' });
  await sender.send(mail);
  expect(smtp.received).toHaveLength(13);
});

it('a lost key is told, and nothing is sent', async () => {
  await expect(senderWith({ user: 'shop', password: 'v1.x' }).send(mail)).rejects.toMatchObject({
    code: 'storage.secretUndecryptable',
  });
  expect(smtp.received).toEqual([]);
});
