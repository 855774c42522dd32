import type { TSchema } from 'typebox';
import { type FieldFault, faultsIn, invalidFields } from '../base/errors.ts';
import type { Route } from './route.ts';
import {
  bodyValidator,
  isStrict,
  paramsValidator,
  queryValidator,
  refuseUnknownFields,
} from './schema/validate.ts';

/** A route with its schemas compiled. */
export interface Endpoint {
  readonly route: Route;
  params(values: ReadonlyMap<string, string>): unknown;
  query(values: URLSearchParams): unknown;
  readonly body: ((value: unknown, query: unknown, params: unknown) => Promise<unknown>) | undefined;
}

/** @throws Error for a route that answers nothing, which is a defect of the table */
export function toEndpoint(route: Route): Endpoint {
  const { method, path } = route;
  if (route.handle === undefined && route.takeOver === undefined)
    throw new Error(`nothing answers ${method} ${path}`);
  return {
    route,
    params: route.params === undefined ? nothing : paramsValidator(route.params),
    query: route.query === undefined ? nothing : queryValidator(route.query),
    body: route.body === undefined || route.form !== undefined ? undefined : bodyOf(route, route.body),
  };
}

function bodyOf(route: Route, schema: TSchema): NonNullable<Endpoint['body']> {
  if (route.takesAnyBody === true) return async (value) => value;
  const validate = bodyValidator(schema);
  return async (value, query, params) => {
    const body = await validOrAllFaults(
      () => validate(value),
      value,
      (fields) => route.moreFaults?.(fields, params),
    );
    if (isStrict(query)) refuseUnknownFields([schema, route.response], value);
    return body;
  };
}

/** The validated body. If it does not fit its schema, the error also lists the faults of the other fields. */
async function validOrAllFaults(
  validate: () => unknown,
  value: unknown,
  moreFaults: (fields: Readonly<Record<string, unknown>>) => Promise<readonly FieldFault[]> | undefined,
): Promise<unknown> {
  try {
    return validate();
  } catch (error) {
    const faults = faultsIn(error);
    if (faults === undefined || typeof value !== 'object' || value === null) throw error;
    const wrong = new Set(faults.map(({ field }) => field.split('.', 1)[0]));
    const fitting = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
    throw invalidFields([...faults, ...((await moreFaults(fitting)) ?? [])]);
  }
}

function nothing(): undefined {
  return undefined;
}
