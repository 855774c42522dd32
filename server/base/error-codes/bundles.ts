import type { ErrorTable } from './entry.ts';

/** Bundles, and connections to other instances. */
export const bundleErrors = {
  'bundle.invalid': {
    status: 400,
    text: (p: { reason: string }) => `this is no bundle that can be imported: ${p.reason}`,
  },
  'bundle.tooLarge': {
    status: 413,
    text: (p: { max: number }) => `the bundle has more than ${p.max} bytes`,
  },
  'bundle.missing': {
    status: 400,
    text: () => 'the request has no bundle: send it as body, or as a form with file',
  },
  'connection.urlInvalid': {
    status: 400,
    text: (p: { reason: string }) => `the address of the other instance is not valid: ${p.reason}`,
  },
  'connection.failed': {
    status: 502,
    text: (p: { error: string }) => `The other instance failed: ${p.error}. Check its address and token.`,
  },
  'connection.busy': { status: 409, text: () => 'a push or pull is running' },
  'connection.gone': {
    status: 409,
    text: () => 'the selected connection does not exist any more: leave remote mode first',
  },
} satisfies ErrorTable;
