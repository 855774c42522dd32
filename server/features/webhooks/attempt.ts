import { ApiError } from '../../base/errors.ts';
import { discard } from '../../http/outgoing/answer.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { signatureHeaders } from './signature.ts';

/** What is sent. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly hop: number;
}

export interface Receiver {
  readonly url: string;
  /** Undefined for a webhook without one, which gets no signature. */
  readonly secret: string | undefined;
}

/** How one attempt ended. */
export interface Outcome {
  /** Status of the answer; 0 without an answer. */
  readonly status: number;
  /** Undefined if the event was delivered. */
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly code: DeliveryErrorCode;
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether it may work later. */
  readonly isTemporary: boolean;
}

export type DeliveryErrorCode =
  | 'webhook.httpStatus'
  | 'webhook.requestFailed'
  | 'webhook.timeout'
  | 'webhook.nestedTooDeep'
  | 'webhook.shutdown'
  | 'storage.secretUndecryptable';

const timeoutMs = 10_000;

/** Sends a message once; never rejects. Redirects are not followed. @param now Unix seconds */
export async function attempt(
  outgoing: Pick<Outgoing, 'send'>,
  receiver: () => Receiver,
  { id, event, body, hop }: Message,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Outcome> {
  try {
    const { url, secret } = receiver();
    const answer = await outgoing.send({
      method: 'POST',
      url,
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-IC-Event': event,
        'X-IC-Delivery': id,
        'X-IC-Webhook-Hop': String(hop),
        ...(secret === undefined ? {} : signatureHeaders(secret, body, now)),
      },
      timeouts: { totalMs: timeoutMs, headersMs: timeoutMs },
      decode: false,
      signal,
    });
    discard(answer.body);
    return { status: answer.status, failure: failureOfStatus(answer.status) };
  } catch (error) {
    return { status: 0, failure: failureOf(error) };
  }
}

function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  return {
    code: 'webhook.httpStatus',
    text: `the receiver answered with status ${status}`,
    params: { status },
    isTemporary: status === 408 || status === 429 || status >= 500,
  };
}

function failureOf(error: unknown): Failure {
  if (error instanceof ApiError && error.code === 'storage.secretUndecryptable') {
    return { code: error.code, text: error.message, params: {}, isTemporary: false };
  }
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof OutgoingError ? error.code : 'broken';
  if (code === 'timeout')
    return { code: 'webhook.timeout', text, params: { ms: timeoutMs }, isTemporary: true };
  const isFinal = code === 'forbidden' || code === 'urlInvalid' || code === 'requestInvalid';
  return { code: 'webhook.requestFailed', text, params: { error: text }, isTemporary: !isFinal };
}
