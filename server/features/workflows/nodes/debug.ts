import Type from 'typebox';
import { parsePropertyPath, valueAt } from '../message/placeholders.ts';
import { maxLogText, maxSecret, startOfText } from '../message/start-of-text.ts';
import { defineNode } from './node-type.ts';
import { shortText } from './settings.ts';

/** Writes a value into the log of the run. */
export const debugNode = defineNode({
  config: Type.Object({ property: Type.Optional(shortText(1000)) }),
  outputs: () => 0,
  build({ property = 'payload' }) {
    const path = parsePropertyPath(property.trim() === '' ? 'payload' : property);
    return (message, run) => {
      run.log(
        'debug',
        path.length === 0 ? message.json : startOfText(valueAt(message.fields, path), maxLogText + maxSecret),
      );
      return [];
    };
  },
});
