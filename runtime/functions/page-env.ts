import { PageEnv } from '../page/env.ts';

/** The page that a template function is called for. @throws Error if no page is being rendered */
export function pageEnv(env: unknown, functionName: string): PageEnv {
  if (env instanceof PageEnv) return env;
  throw new Error(`${functionName}() works only while a page is rendered`);
}
