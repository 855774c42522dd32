import type { ErrorTable } from './entry.ts';

/** Mail. */
export const mailErrors = {
  'mail.failed': { status: 502, text: (p: { error: string }) => `the mail was not sent: ${p.error}` },
  'mail.notConfigured': {
    status: 502,
    text: () => 'the mail was not sent: mail server and sender are not set (PUT /system/mail)',
  },
} satisfies ErrorTable;
