import { PageEnv } from '../page/env.ts';

/** The page a template function is called for. @throws outside of a page, where there is none. */
export function pageEnv(env: unknown, functionName: string): PageEnv {
  if (env instanceof PageEnv) return env;
  throw new Error(`${functionName}() works only while a page is rendered`);
}
