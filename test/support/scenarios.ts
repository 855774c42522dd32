import { expect, it } from 'vitest';
import { type ApiCall, asRecord, call, outcomeOf } from './api.ts';
import type { DescribedServer } from './contract.ts';

/** One request with its expected answer. Path and body may be functions, for values that exist only during the test. */
export interface Scenario {
  readonly name: string;
  readonly method: string;
  readonly path: string | (() => string);
  readonly token?: string | null;
  readonly body?: unknown;
  readonly status: number;
  /** `code` of the error. */
  readonly code?: string;
  /** All of `params`, exactly. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Names of params that may have any text. */
  readonly freeParams?: readonly string[];
  /** Fields the answer must contain. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Outcome of a request for an object that does not exist. */
export const notFound = { status: 404, code: 'common.notFound' } as const;

/** Outcome of a request with a wrong value in a field. */
export function invalid(field: string): Pick<Scenario, 'status' | 'code' | 'params'> {
  return { status: 400, code: 'common.invalid', params: { field } };
}

/** Defines one test for each scenario. `server` is called when a test runs. */
export function runScenarios(server: () => DescribedServer, scenarios: readonly Scenario[]): void {
  it.each(scenarios.map((scenario) => ({ ...scenario, title: titleOf(scenario) })))(
    '$title',
    async (scenario) => {
      await check(server(), scenario);
    },
  );
}

/** Sends the request of a scenario and checks the answer. Errors must have the form of Core, "Errors". */
export async function check(server: DescribedServer, scenario: Scenario): Promise<Record<string, unknown>> {
  const path = typeof scenario.path === 'function' ? scenario.path() : scenario.path;
  const body = typeof scenario.body === 'function' ? scenario.body() : scenario.body;
  const request: ApiCall = {
    ...(scenario.token === undefined ? {} : { token: scenario.token }),
    ...(body === undefined ? {} : { body }),
  };
  const answer = await call(server, scenario.method, path, request);
  const fields = asRecord(answer.body);
  expect(outcomeOf(answer)).toEqual({ status: scenario.status, code: scenario.code });
  if (answer.status >= 400)
    expect(fields).toMatchObject({ error: expect.any(String), params: expect.any(Object) });
  if (scenario.params !== undefined) {
    const free = (scenario.freeParams ?? ['reason']).map((name) => [name, expect.any(String)]);
    const params = asRecord(fields['params']);
    expect(params).toEqual({ ...onlyPresent(Object.fromEntries(free), params), ...scenario.params });
  }
  if (scenario.fields !== undefined) expect(fields).toMatchObject(scenario.fields);
  expect(answer.headers.get('x-ic-build')).toBeTruthy();
  return fields;
}

function onlyPresent(
  free: Record<string, unknown>,
  params: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(free).filter(([name]) => name in params));
}

function titleOf({ name, status, code }: Scenario): string {
  return `${name}: ${status}${code === undefined ? '' : ` ${code}`}`;
}
