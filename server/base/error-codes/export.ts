import type { ErrorTable } from './entry.ts';

/** Static export. */
export const exportErrors = {
  'export.incomplete': {
    status: 422,
    text: (p: { count: number }) =>
      p.count === 1 ? 'one page cannot be exported' : `${p.count} pages cannot be exported`,
  },
} satisfies ErrorTable;
