import Type from 'typebox';
import { formatValue, template } from '../message/placeholders.ts';
import { defineNode, sendOne } from './node-type.ts';
import { numberField } from './settings.ts';

/** Longest delay in seconds (Data, Automation and Operations, "Limits"). */
const maxSeconds = 300;

/** Holds a message back, while other branches go on. */
export const delayNode = defineNode({
  config: Type.Object({ seconds: Type.Optional(numberField(0, maxSeconds)) }),
  placeholders: { settings: ['seconds'] },
  outputs: () => 1,
  faults: ({ seconds = 0 }) =>
    typeof seconds === 'number' || template(seconds).hasPlaceholders || isDelay(seconds)
      ? []
      : [{ field: 'seconds', reason: `must be a number from 0 to ${maxSeconds}` }],
  build({ seconds = 0 }) {
    const text = template(String(seconds));
    return async (message, { flow }) => {
      const filled = text.fill(message, formatValue);
      if (!isDelay(filled)) throw new Error(`the delay "${filled}" is no number from 0 to ${maxSeconds}`);
      await flow.wait(Number(filled) * 1000);
      return sendOne(message);
    };
  },
});

function isDelay(text: string): boolean {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  return seconds >= 0 && seconds <= maxSeconds;
}
