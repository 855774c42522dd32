import type { TemplateFunction } from '../engine.ts';
import { SafeString } from '../values/safe.ts';
import { pageEnv } from './page-env.ts';

/** Longest payload in characters of JSON. */
const maxPayload = 100_000;

/**
 * `workflow(ref, name, value, ...)`: runs an active workflow, named by its ID, its name or the path of its input. The
 * pairs are its payload; they may also be written `name=value`. The result is the payload at its end. The page is
 * not kept, and equal calls of one page run once.
 *
 *     {% for offer in workflow("Offers", "city", "Ulm") %}{{ offer.title }} {% endfor %}
 *     Spring Summer
 */
export const workflowFunction: TemplateFunction = {
  call(env, [ref, ...pairs], named) {
    const page = pageEnv(env, 'workflow');
    if (pairs.length % 2 !== 0)
      throw new Error('workflow() takes a name and a value for each part of the payload');
    const given = pairs.flatMap((name, index) => (index % 2 === 0 ? [[String(name), pairs[index + 1]]] : []));
    const payload = jsonOf(Object.fromEntries([...given, ...Object.entries(named)]));
    return page.sources.call({ workflow: String(ref ?? ''), payload });
  },
};

function jsonOf(payload: object): string {
  let json: string;
  try {
    json = JSON.stringify(payload, (_name, value: unknown) =>
      value instanceof SafeString ? value.value : value,
    );
  } catch {
    throw new Error('workflow() takes texts, numbers, lists and objects without circles');
  }
  if (json.length > maxPayload) throw new Error(`workflow() takes at most ${maxPayload} characters of JSON`);
  return json;
}
