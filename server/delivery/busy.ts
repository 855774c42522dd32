import { textHeaders } from '../http/plain-answers.ts';
import type { PublicResponse } from '../http/public-exchange.ts';
import { PoolBusyError } from '../processes/pool.ts';

/** The answer for a file when too much work is waiting. */
export const busy: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...textHeaders, ['Retry-After', '1']],
  body: 'Too busy, please try again\n',
};

/** The result of work for the render pool; `busy` if the pool has no room for it. */
export async function orBusy<T>(work: Promise<T>): Promise<T | 'busy'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PoolBusyError) return 'busy';
    throw error;
  }
}
