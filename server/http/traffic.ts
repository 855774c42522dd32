import type { ApiHandler, ReadyHandler } from './api-exchange.ts';
import type { PublicHandler, PublicResponse } from './public-exchange.ts';

/** Where a request went: the API, or everything else. */
export type TrafficArea = 'api' | 'public';

/** Counts answers by area and class of status. Counting one costs a few nanoseconds. */
export class Traffic {
  /** For each area the answers of status 0xx to 9xx. */
  readonly #counts: Readonly<Record<TrafficArea, number[]>> = {
    api: Array.from({ length: 10 }, () => 0),
    public: Array.from({ length: 10 }, () => 0),
  };

  /** @param statusClass first digit of the status */
  count(area: TrafficArea, statusClass: number, answers = 1): void {
    const counts = this.#counts[area];
    counts[statusClass] = (counts[statusClass] ?? 0) + answers;
  }

  /** The answers so far by area and class, such as `2xx`. Classes without answers are left out. */
  totals(): { readonly area: TrafficArea; readonly status: string; readonly answers: number }[] {
    return (['api', 'public'] as const).flatMap((area) =>
      this.#counts[area].flatMap((answers, digit) =>
        answers === 0 ? [] : [{ area, status: `${digit}xx`, answers }],
      ),
    );
  }
}

/** The handlers of all requests. */
interface Handlers {
  readonly api: ApiHandler;
  readonly ready: ReadyHandler;
  readonly delivery: PublicHandler;
}

/** The same handlers; their answers are counted. A cached page is still answered without a promise. */
export function counted(traffic: Traffic, { api, ready, delivery }: Handlers): Handlers {
  const count = (answer: PublicResponse) => {
    traffic.count('public', answer.status.charCodeAt(0) - zero);
    return answer;
  };
  return {
    api: (request, answer) =>
      api(request, (response) => {
        traffic.count('api', Math.floor(response.status / 100));
        answer(response);
      }),
    ready(request) {
      const answer = ready(request);
      if (answer !== undefined) traffic.count('api', Math.floor(answer.status / 100));
      return answer;
    },
    delivery(request) {
      const answer = delivery(request);
      return answer instanceof Promise ? answer.then(count) : count(answer);
    },
  };
}

const zero = '0'.charCodeAt(0);
