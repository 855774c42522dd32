import type { ErrorTable } from './entry.ts';

/** Custom nodes of workflows. */
export const flowNodeErrors = {
  'flownode.keyTaken': { status: 409, text: (p: { key: string }) => `the key "${p.key}" is taken` },
  'flownode.inUse': {
    status: 409,
    text: (p: { key: string; workflows: readonly string[] }) =>
      `workflows use the node "${p.key}": ${p.workflows.join(', ')}`,
  },
  'flownode.codeInvalid': {
    status: 400,
    text: (p: { message: string; line: number; column: number }) =>
      `code:${p.line}:${p.column}: ${p.message}`,
  },
} satisfies ErrorTable;
