import Type from 'typebox';
import { inLine, template } from '../message/placeholders.ts';
import { faultsInHeaders, isOfTheService, setsOwnCookie } from './headers.ts';
import { defineNode } from './node-type.ts';
import { pairsField } from './settings.ts';

/** Answers the request of the HTTP input that has started the run. */
export const httpResponseNode = defineNode({
  config: Type.Object({
    status: Type.Optional(Type.Integer()),
    headers: Type.Optional(pairsField),
  }),
  placeholders: { settings: ['headers'] },
  outputs: () => 0,
  faults: ({ status = 0, headers = [] }) => [
    ...(status === 0 || isStatus(status)
      ? []
      : [{ field: 'status', reason: 'must be 0 or a status from 200 to 599' }]),
    ...faultsInHeaders(headers),
  ],
  build({ status = 0, headers = [] }) {
    const own = headers.filter(({ name }) => !isOfTheService(name));
    const refused = headers.filter(({ name }) => isOfTheService(name)).map(({ name }) => name);
    const templates = own.map(({ name, value }) => ({ name, value: template(value) }));
    return (message, run) => {
      for (const name of refused) run.log('warn', `${name} is left out: only the server sets this header`);
      const filled = templates.flatMap(({ name, value }) => {
        const text = inLine(value.fill(message, inLine));
        if (!setsOwnCookie(name, text)) return [[name, text] as const];
        run.log('warn', 'Set-Cookie is left out: cookies that begin with "ic_" belong to the server');
        return [];
      });
      const sent = status === 0 ? (message.member('statusCode').value ?? 200) : status;
      const code = typeof sent === 'string' && /^\d{3}$/.test(sent) ? Number(sent) : sent;
      if (!isStatus(code)) throw new Error(`${JSON.stringify(sent)} is no status from 200 to 599`);
      const { value: payload, json } = message.member('payload');
      const text = typeof payload === 'string' || payload === null ? undefined : json;
      run.flow.respond({ status: code, headers: filled, payload, text });
      return [];
    };
  },
});

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;
}
