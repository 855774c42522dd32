import Type from 'typebox';
import type { FlowScope, Message } from '../message/message.ts';
import { formatValue } from '../message/placeholders.ts';
import { defineNode, sendOne } from './node-type.ts';

/** Waits for several messages and sends one with all their payloads. */
export const joinNode = defineNode({
  config: Type.Object({
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    mode: Type.Optional(Type.Enum(['array', 'object'])),
  }),
  outputs: () => 1,
  build({ count = 0, mode = 'array' }, { incoming }) {
    const needed = count === 0 ? Math.max(incoming, 1) : count;
    // The flow is shared by all runs; what a run has collected belongs to it alone.
    const collected = new WeakMap<FlowScope, Message[]>();
    return (message, { flow }) => {
      const messages = [...(collected.get(flow) ?? []), message];
      if (messages.length < needed) {
        collected.set(flow, messages);
        return [];
      }
      collected.delete(flow);
      const payload =
        mode === 'array'
          ? messages.map((part) => part.payload ?? null)
          : Object.fromEntries(
              messages.map((part) => [formatValue(part.fields['topic']), part.payload ?? null]),
            );
      return sendOne(message.with({ payload }));
    };
  },
});
