/** The REST sources of the demo website: addresses of the server itself, so that nothing comes from another host. */
import Type, { type Static } from 'typebox';
import type { Change } from '../change.ts';
import { createObject, updateObject } from '../kinds/objects.ts';
import type { Outgoing } from '../outgoing/client.ts';
import { SourceCreate } from '../sources/model.ts';
import { findSource, sourceKind } from '../sources/service.ts';

/** Fields as in the API; `path` is below the address of the server. */
export const DemoSource = Type.Object({
  ...Type.Omit(SourceCreate, ['url']).properties,
  path: Type.String(),
});

/** Creates the sources that the rules for outgoing requests allow. @param origin of this server */
export async function installSources(
  change: Change,
  outgoing: Pick<Outgoing, 'faultOf'>,
  sources: readonly Static<typeof DemoSource>[],
  origin: string,
): Promise<void> {
  for (const { path, ...fields } of sources) {
    const url = origin + path;
    if (outgoing.faultOf(url) !== undefined) continue;
    await createObject(change, sourceKind(outgoing), { ...fields, url });
  }
}

/**
 * Lets sources that ask this server at an address that it does not have any more, because it was started with another
 * one, ask at its address of now. Returns the number of sources that have changed.
 *
 * @param origin of this server
 */
export async function moveSources(
  change: Change,
  outgoing: Pick<Outgoing, 'faultOf'>,
  sources: readonly Static<typeof DemoSource>[],
  origin: string,
): Promise<number> {
  let moved = 0;
  for (const { slug, path } of sources) {
    const source = await findSource(change.tx, slug);
    const url = origin + path;
    if (source === undefined || source.url === url || outgoing.faultOf(url) !== undefined) continue;
    if (!source.url.endsWith(path) || !isThisMachine(source.url.slice(0, -path.length))) continue;
    await updateObject(change, sourceKind(outgoing), source.id, { url });
    moved += 1;
  }
  return moved;
}

function isThisMachine(origin: string): boolean {
  return /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(origin);
}
