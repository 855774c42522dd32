import Type from 'typebox';
import { readForeignJson, writeJson } from '../../../http/json/json.ts';
import { type OutgoingAnswer, readBytes } from '../../../http/outgoing/answer.ts';
import type { OutgoingRequest } from '../../../http/outgoing/client.ts';
import type { Message } from '../message/message.ts';
import {
  addressTemplate,
  formatValue,
  inLine,
  jsonTemplate,
  type Template,
  template,
} from '../message/placeholders.ts';
import { faultsInHeaders } from './headers.ts';
import { defineNode, httpMethods, sendOne } from './node-type.ts';
import { hints, pairsField, shortText } from './settings.ts';

/** Largest answer in bytes. */
const maxBytes = 10 * 2 ** 20;
const maxRedirects = 5;

/** Asks another host. */
export const httpRequestNode = defineNode({
  config: Type.Object({
    method: Type.Optional(Type.Enum([...httpMethods, 'HEAD'])),
    url: shortText(),
    headers: Type.Optional(pairsField),
    body: Type.Optional(Type.Enum(['', 'payload', 'none', 'custom'])),
    bodyTemplate: Type.Optional(shortText(1_000_000, hints('lines', { body: ['custom'] }))),
    ret: Type.Optional(Type.Enum(['', 'auto', 'json', 'text'])),
    failOnError: Type.Optional(Type.Boolean()),
  }),
  placeholders: { settings: ['url', 'headers', 'bodyTemplate'], withSecrets: true },
  outputs: () => 1,
  faults: ({ url, headers = [] }) => [
    ...(url.trim() === '' ? [{ field: 'url', reason: 'must not be empty' }] : []),
    ...faultsInHeaders(headers),
  ],
  build(config, { services }) {
    const { method = 'GET', ret = 'auto', failOnError = false } = config;
    const { outgoing, secrets, ownRequests } = services;
    const url = addressTemplate(config.url, secrets);
    const headers = (config.headers ?? []).map(
      ({ name, value }) => [name, template(value, secrets)] as const,
    );
    const body = bodyOf(config, jsonTemplate(config.bodyTemplate ?? '', secrets), secrets);
    return async (message, { flow }) => {
      const filled = headers.map(([name, value]) => [name, value.fill(message, inLine)] as const);
      const named = new Set(filled.map(([name]) => name.toLowerCase()));
      const sent = await body(message);
      const request: OutgoingRequest = {
        method,
        url: url.fill(message),
        headers: {
          ...(sent?.type === undefined || named.has('content-type') ? {} : { 'Content-Type': sent.type }),
          ...Object.fromEntries(filled),
          ...ownRequests.headersFor(flow.actor.hop),
        },
        ...(sent === undefined ? {} : { body: sent.text }),
        maxRedirects,
        signal: flow.signal,
      };
      const answer = await outgoing.send(request);
      const payload = await payloadOf(answer, ret, failOnError);
      if (failOnError && answer.status >= 400)
        throw new Error(`${new URL(answer.url).host} answered with status ${answer.status}`);
      return sendOne(
        message.with({ payload, statusCode: answer.status, headers: Object.fromEntries(answer.headers) }),
      );
    };
  },
});

interface SentBody {
  readonly text: string;
  /** Unless the headers name one. */
  readonly type?: string;
}

interface BodyConfig {
  readonly method?: string;
  readonly body?: string;
  readonly bodyTemplate?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

function bodyOf(
  { method = 'GET', body = '', bodyTemplate = '', headers = [] }: BodyConfig,
  asJson: Template,
  secrets: Parameters<typeof template>[1],
): (message: Message) => SentBody | undefined | Promise<SentBody | undefined> {
  if (body === 'none') return () => undefined;
  if (body === 'custom') {
    const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
    const isJson = type === undefined ? /^\s*(?:\[|\{(?!\{))/.test(bodyTemplate) : /json/i.test(type);
    if (isJson) return (message) => ({ text: asJson.fill(message, formatValue), type: 'application/json' });
    const plain = template(bodyTemplate, secrets);
    return (message) => ({ text: plain.fill(message, formatValue), type: 'text/plain; charset=utf-8' });
  }
  const isReading = method === 'GET' || method === 'HEAD' || method === 'DELETE';
  return body === '' && isReading ? () => undefined : ({ payload }) => payloadBody(payload);
}

async function payloadBody(payload: unknown): Promise<SentBody | undefined> {
  if (payload === undefined || payload === null) return undefined;
  return typeof payload === 'string'
    ? { text: payload, type: 'text/plain; charset=utf-8' }
    : { text: await writeJson(payload), type: 'application/json' };
}

/** @throws Error for an answer that is not the JSON that was asked for, if the node shall fail */
async function payloadOf(answer: OutgoingAnswer, ret: string, failOnError: boolean): Promise<unknown> {
  const { bytes } = await readBytes(answer, maxBytes);
  const saysJson = /[/+]json\b/i.test(answer.headers.get('content-type') ?? '');
  if (ret === 'text' || (ret !== 'json' && !saysJson)) return bytes.toString().toWellFormed();
  if (bytes.length === 0 && ret !== 'json') return null;
  try {
    return await readForeignJson(bytes);
  } catch (error) {
    if (ret !== 'json' || !failOnError || answer.status >= 400) return bytes.toString().toWellFormed();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the answer of ${new URL(answer.url).host} is not JSON: ${reason}`);
  }
}
