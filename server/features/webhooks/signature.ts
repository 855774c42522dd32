import { createHmac } from 'node:crypto';

/** The headers that sign a body (Data, Automation and Operations, "Webhooks"). @param timestamp Unix seconds */
export function signatureHeaders(secret: string, body: string, timestamp: number): Record<string, string> {
  return {
    'X-IC-Timestamp': String(timestamp),
    'X-IC-Signature': sign(secret, body),
    'X-IC-Signature-V2': sign(secret, `${timestamp}.${body}`),
  };
}

function sign(secret: string, text: string): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}
