import Type from 'typebox';
import { escapeHtml } from '../../../../runtime/values/escape.ts';
import { formatValue, inLine, template } from '../message/placeholders.ts';
import { defineNode, sendOne } from './node-type.ts';
import { hints, shortText } from './settings.ts';

/** Sends a mail with the settings of the instance. With `onlyIfSetUp` the message goes on where no mail can be sent. */
export const mailNode = defineNode({
  config: Type.Object({
    to: shortText(),
    subject: Type.Optional(shortText()),
    body: Type.Optional(shortText(1_000_000, hints('lines'))),
    replyTo: Type.Optional(shortText(1000)),
    html: Type.Optional(Type.Boolean()),
    onlyIfSetUp: Type.Optional(Type.Boolean()),
  }),
  placeholders: { settings: ['to', 'subject', 'body', 'replyTo'], withSecrets: true },
  outputs: () => 1,
  faults: ({ to }) => (to.trim() === '' ? [{ field: 'to', reason: 'must not be empty' }] : []),
  build({ body = '', html = false, onlyIfSetUp = false, ...config }, { services: { mail, secrets } }) {
    const to = template(config.to, secrets);
    const subject = template(config.subject ?? '', secrets);
    const replyTo = template(config.replyTo ?? '', secrets);
    const content = template(body, secrets);
    return async (message, { flow }) => {
      if (onlyIfSetUp && !mail.isSetUp) return sendOne(message);
      const recipients = to.fill(message, inLine);
      if (recipients.trim() === '') throw new Error('there is no recipient');
      const text =
        body === ''
          ? payloadText(message.payload)
          : content.fill(message, html ? (value) => escapeHtml(formatValue(value)) : formatValue);
      const answerTo = replyTo.fill(message, inLine).trim();
      await mail.send(
        {
          to: recipients,
          subject: subject.fill(message, inLine),
          ...(html ? { html: text } : { text }),
          ...(answerTo === '' ? {} : { replyTo: answerTo }),
        },
        flow.signal,
      );
      return sendOne(message);
    };
  },
});

function payloadText(payload: unknown): string {
  return typeof payload === 'object' && payload !== null
    ? JSON.stringify(payload, null, 2)
    : formatValue(payload);
}
