import { type ErrorTable, quoted } from './entry.ts';

/** Workflows and their HTTP inputs. */
export const workflowErrors = {
  'workflow.unknownNodeType': {
    status: 400,
    text: (p: { type: string; node: string }) =>
      `node ${quoted(p.node)} has the unknown type ${quoted(p.type)}`,
  },
  'workflow.pathTaken': {
    status: 409,
    text: (p: { method: string; path: string; workflow: string }) =>
      `the input ${p.method} ${quoted(p.path)} belongs to the active workflow ${quoted(p.workflow)}`,
  },
  'workflow.failed': { status: 500, text: () => 'the workflow failed' },
  'workflow.nestedTooDeep': {
    status: 508,
    text: (p: { max: number }) => `${p.max} requests of workflows in a row have led to this one`,
  },
  'workflow.crossSite': {
    status: 403,
    text: () => 'another site has sent this request with the session of an administrator',
  },
  'workflow.notRepeatable': {
    status: 409,
    text: () => 'the run cannot be repeated: its message was too large to be kept, or its start node is gone',
  },
} satisfies ErrorTable;
