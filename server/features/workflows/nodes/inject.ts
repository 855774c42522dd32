import Type from 'typebox';
import { faultOfCron } from '../message/cron.ts';
import { defineNode, sendOne } from './node-type.ts';
import { cronField, hints, shortText } from './settings.ts';

/** Starts by hand or on a schedule. */
export const injectNode = defineNode({
  config: Type.Object({
    payload: Type.Optional(shortText(1_000_000, hints('json'))),
    cron: Type.Optional(cronField),
  }),
  isStart: () => true,
  outputs: () => 1,
  faults: ({ cron = '' }) => faultOfCron('cron', cron),
  trigger: ({ cron = '' }) => (cron.trim() === '' ? undefined : { kind: 'cron', pattern: cron.trim() }),
  build({ payload = '' }) {
    const stored = asJson(payload);
    return (message) => sendOne('payload' in message.fields ? message : message.with({ payload: stored }));
  },
});

/** A text read as JSON if it is JSON. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
