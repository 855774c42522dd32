import type { ErrorTable } from './entry.ts';

/** Countries of visitors. */
export const statisticsErrors = {
  'geo.running': { status: 409, text: () => 'country data is being brought up to date already' },
  'geo.disabled': { status: 409, text: () => 'country data is switched off' },
  'geo.fileInvalid': {
    status: 400,
    text: (p: { reason: string }) => `a file is no allocation list of a registry: ${p.reason}`,
  },
} satisfies ErrorTable;
