import type { Feature, SharedServices } from '../../feature.ts';
import { mailRoutes } from './routes.ts';
import { MailSender } from './sender.ts';
import { readMail } from './service.ts';

/** Mail through an SMTP server (Data, Automation and Operations, "System, security, mail, storage settings"). */
export interface MailFeature extends Feature {
  readonly mail: Pick<MailSender, 'send' | 'isSetUp'>;
}

export async function mailFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'secrets' | 'outgoing'>,
): Promise<MailFeature> {
  const mail = new MailSender(parts, await readMail(parts.reader));
  return {
    routes: mailRoutes(parts, mail),
    followers: [{ of: ['settings'], refresh: async () => mail.use(await readMail(parts.reader)) }],
    mail,
  };
}
