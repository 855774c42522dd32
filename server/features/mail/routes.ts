import { defineRoute, type Route } from '../../api/route.ts';
import type { SharedServices } from '../../feature.ts';
import { MailSettings, MailTest, MailUpdate } from './model.ts';
import type { MailSender } from './sender.ts';
import { presentMail, readMail, updateMail } from './service.ts';

export function mailRoutes(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'secrets' | 'outgoing'>,
  sender: Pick<MailSender, 'send'>,
): Route[] {
  const { reader, changes } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/system/mail',
      access: 'write',
      needs: 'settings',
      summary: 'How the server sends mail',
      response: MailSettings,
      handle: async () => presentMail(await readMail(reader)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/mail',
      access: 'write',
      needs: 'settings',
      summary: 'Change the settings of mail',
      errors: ['auth.confirm'],
      body: MailUpdate,
      response: MailSettings,
      handle: ({ actor, body }) =>
        changes.changeUnversioned(actor, async (change) =>
          presentMail(await updateMail(change, body, parts)),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/mail/test',
      access: 'write',
      needs: 'settings',
      summary: 'Send a mail for a test',
      body: MailTest,
      errors: ['mail.failed', 'mail.notConfigured', 'storage.secretUndecryptable'],
      handle: ({ body: { to } }) => sender.send({ to, ...testMail }),
    }),
  ];
}

const testMail = {
  subject: 'Test of the mail settings',
  text: 'This mail was sent from Incipit. The settings of the mail server work.',
} as const;
