import type { FieldFault } from '../../../base/errors.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Headers that belong to the connection, or to the server itself. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-ic-build',
  'x-ic-delivery',
  'x-ic-webhook-hop',
]);

/** The faults in the headers of a node. */
export function faultsInHeaders(headers: readonly Pair[]): FieldFault[] {
  return headers.flatMap(({ name, value }, index) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      return [{ field: `headers.${index}.name`, reason: `is no name of a header` }];
    if (reserved.has(name.toLowerCase()))
      return [{ field: `headers.${index}.name`, reason: 'is set by the server' }];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)
      ? [{ field: `headers.${index}.value`, reason: 'must not have line breaks or control characters' }]
      : [];
  });
}
