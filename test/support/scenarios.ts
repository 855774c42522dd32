import { expect, it } from 'vitest';
import { type ApiCall, asRecord, call } from './api.ts';
import type { TestServer } from './server.ts';

/** One request and what it must come to. Paths and bodies may depend on what a test has set up before. */
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
  /** Names of params whose text is free. */
  readonly freeParams?: readonly string[];
  /** Fields the answer must contain. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** One test per scenario, in order, on a server that runs by then. */
export function runScenarios(server: () => TestServer, scenarios: readonly Scenario[]): void {
  it.each(scenarios.map((scenario) => ({ ...scenario, title: titleOf(scenario) })))(
    '$title',
    async (scenario) => {
      await check(server(), scenario);
    },
  );
}

/** Error answers have the form of Core, "Errors", whatever else a scenario asks for. */
export async function check(server: TestServer, scenario: Scenario): Promise<Record<string, unknown>> {
  const path = typeof scenario.path === 'function' ? scenario.path() : scenario.path;
  const body = typeof scenario.body === 'function' ? scenario.body() : scenario.body;
  const request: ApiCall = {
    ...(scenario.token === undefined ? {} : { token: scenario.token }),
    ...(body === undefined ? {} : { body }),
  };
  const answer = await call(server, scenario.method, path, request);
  const fields = asRecord(answer.body);
  expect({ status: answer.status, code: fields['code'] }).toEqual({
    status: scenario.status,
    code: scenario.code,
  });
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
