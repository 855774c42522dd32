import { useInfiniteQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import type { AuditLog } from '../../../api/generated/schema.ts';

export type AuditEntry = AuditLog['changes'][number];
export type ChangeEntry = Extract<AuditEntry, { readonly action: string }>;

/** What is looked for; empty texts do not limit. */
export interface AuditFilter {
  readonly kind: string;
  readonly actor: string;
  /** Days on the calendar of this computer, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

export const auditFilters = ['kind', 'actor', 'from', 'to'] as const satisfies readonly (keyof AuditFilter)[];

/** Rows that are asked for at once. */
const pageSize = 100;
/** Answers that are asked for in a row while none of them has a row: each looks through a part of the log. */
const maxEmpty = 10;

/** The log from the newest change on, part by part. */
export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    // Changes tell of themselves by the first part of the key.
    queryKey: ['changes', 'audit', filter],
    queryFn: ({ pageParam }) => readPart(filter, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

async function readPart(filter: AuditFilter, before: number | undefined): Promise<AuditLog> {
  let part = await readOnce(filter, before);
  for (let again = 1; again < maxEmpty && part.changes.length === 0 && part.next !== null; again++)
    part = await readOnce(filter, part.next);
  return part;
}

function readOnce({ kind, actor, from, to }: AuditFilter, before: number | undefined): Promise<AuditLog> {
  const query = {
    limit: pageSize,
    ...(before === undefined ? {} : { before }),
    ...(kind === '' ? {} : { kind }),
    ...(actor === '' ? {} : { actor }),
    ...(from === '' ? {} : { from: secondsAt(from, 0) }),
    ...(to === '' ? {} : { to: secondsAt(to, 1) - 1 }),
  };
  return requireData(api.GET('/audit', { params: { query } }));
}

/** When a day begins here, in Unix seconds. @param later days later */
function secondsAt(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}
