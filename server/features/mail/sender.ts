/**
 * Sends mail through the configured server. What holds:
 *
 *  1. The connection goes to an address that the rules for outgoing requests permit (`server/http/outgoing`).
 *  2. A password is sent over TLS only: from the start on port 465, else after STARTTLS. Without it nothing is
 *     sent. A server without login may take plain SMTP.
 *  3. Contents are texts. The library would read files and addresses that a content names; that is off.
 *  4. Nothing that others write becomes a header: control characters are refused.
 */
import { apiError, invalid } from '../../base/errors.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { checkLine, type MailAddress, parseAddresses } from './addresses.ts';
import { mailLimits, type StoredMail } from './model.ts';
import { passwordPurpose } from './service.ts';

/** A mail to send. `to` and `replyTo` are lists of addresses, separated by commas. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly replyTo?: string;
}

interface SenderDeps {
  readonly outgoing: Pick<Outgoing, 'connect'>;
  readonly secrets: Pick<Secrets, 'open'>;
}

/** Connections at the same time; further mails wait. */
const maxConnections = 5;
/** Longest time for one mail, in milliseconds. */
const totalMs = 60_000;
/** Longest time for a step of the conversation, in milliseconds. */
const stepMs = 20_000;

export class MailSender {
  readonly #deps: SenderDeps;
  #settings: StoredMail;
  #connections = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(deps: SenderDeps, settings: StoredMail) {
    this.#deps = deps;
    this.#settings = settings;
  }

  use(settings: StoredMail): void {
    this.#settings = settings;
  }

  get isSetUp(): boolean {
    return this.#settings.host !== '' && senderOf(this.#settings) !== undefined;
  }

  /**
   * Sends a mail. Resolves when the server has taken it for all recipients.
   *
   * @throws ApiError `common.invalid` for a mail that cannot be sent, `mail.notConfigured`, `mail.failed` with
   *   what the server said, `storage.secretUndecryptable`
   */
  async send(mail: Mail, signal?: AbortSignal): Promise<void> {
    const message = messageOf(mail);
    const limit = AbortSignal.timeout(totalMs);
    const ended = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    await this.#turn(ended);
    try {
      await this.#deliver(message, ended);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#connections -= 1;
      else next();
    }
  }

  /** Waits until there may be one more connection; whoever ends one hands it on. */
  #turn(signal: AbortSignal): Promise<void> {
    if (this.#connections < maxConnections) {
      this.#connections += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(apiError('mail.failed', { error: 'it waited too long for other mails' }));
      };
      this.#waiting.push(go);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  async #deliver(message: Message, signal: AbortSignal): Promise<void> {
    const settings = this.#settings;
    const from = senderOf(settings);
    if (settings.host === '' || from === undefined) throw apiError('mail.notConfigured', {});
    const { host, port, user } = settings;
    const password =
      settings.password === '' ? '' : this.#deps.secrets.open(settings.password, passwordPurpose);
    try {
      // Loaded with the first mail, to keep the start of the server short.
      const { createTransport } = await import('nodemailer');
      const connection = await this.#deps.outgoing.connect({ host, port, signal });
      const auth = user === '' ? {} : { auth: { user, pass: password }, forceAuth: true };
      const transport = createTransport({ ...transportOptions(settings), ...auth, connection });
      const sent = await transport.sendMail({ ...message, from, signal }).finally(() => connection.destroy());
      if (sent.rejected.length > 0)
        throw new Error(`it was sent, but the server refuses ${sent.rejected.map(String).join(', ')}`);
    } catch (error) {
      throw apiError('mail.failed', { error: reasonOf(error, password, signal) });
    }
  }
}

/** A mail whose parts have been checked. */
type Message = ReturnType<typeof messageOf>;

/** @throws ApiError `common.invalid` */
function messageOf({ to, subject, text, html, replyTo = '' }: Mail) {
  const recipients = parseAddresses(to, 'to', mailLimits.recipients);
  if (recipients.length === 0) throw invalid('to', 'must have at least one address');
  const answers = parseAddresses(replyTo, 'replyTo', mailLimits.replyTo);
  checkLine(subject, 'subject');
  if (subject.length > mailLimits.subject)
    throw invalid('subject', `must have at most ${mailLimits.subject} characters`);
  for (const [field, content = ''] of Object.entries({ text, html }))
    if (content.length > mailLimits.body)
      throw invalid(field, `must have at most ${mailLimits.body} characters`);
  return {
    to: recipients,
    subject,
    ...(answers.length === 0 ? {} : { replyTo: answers }),
    ...(html === undefined ? { text: text ?? '' } : { html, ...(text === undefined ? {} : { text }) }),
    // Keeps other programs from answering to it (RFC 3834, 5.1).
    headers: { 'Auto-Submitted': 'auto-generated' },
    // The other encoding takes a hundred times as long.
    textEncoding: 'base64',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

/** `from`, else the user if it is an address. */
function senderOf({ from, user }: StoredMail): MailAddress | undefined {
  if (from !== '') return parseAddresses(from, 'from', 1)[0];
  return user.includes('@') ? parseAddresses(user, 'user', 1)[0] : undefined;
}

function transportOptions({ host, port, user }: StoredMail) {
  return {
    host,
    port,
    secure: port === tlsPort,
    requireTLS: user !== '',
    // Without a login there is nothing that needs a certificate, and a relay nearby often has none of its own:
    // encrypted for an unknown certificate is better than not at all (RFC 7435).
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: user !== '' || port === tlsPort },
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

const tlsPort = 465;

/** What the server said, else what failed. A server could repeat the password. */
function reasonOf(error: unknown, password: string, signal: AbortSignal): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OutgoingError) return error.message;
  if (signal.aborted) return 'it took too long';
  if (Reflect.get(error, 'command') === 'STARTTLS')
    return 'the server has no STARTTLS, so no password was sent to it';
  const response: unknown = Reflect.get(error, 'response');
  const text = typeof response === 'string' && response !== '' ? response : error.message;
  return (password === '' ? text : text.replaceAll(password, '***')).slice(0, maxReason);
}

const maxReason = 1000;
