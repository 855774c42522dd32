/** The REST sources of the demo website: addresses of the server itself, so that nothing comes from another host. */
import Type, { type Static } from 'typebox';
import type { Change } from '../../changes/changes.ts';
import { createObject, updateObject } from '../../content/kinds/objects.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { SourceCreate } from '../sources/model.ts';
import { findSource, sourceKind } from '../sources/service.ts';

/** Fields as in the API; `path` is below the address of the server. */
export const DemoSource = Type.Object({
  ...Type.Omit(SourceCreate, ['url']).properties,
  path: Type.String(),
});

type Sources = readonly Static<typeof DemoSource>[];
type Rules = Pick<Outgoing, 'faultOf'>;

/** Creates the sources that the rules for outgoing requests allow. @param origin of this server */
export async function installSources(
  change: Change,
  outgoing: Rules,
  sources: Sources,
  origin: string,
): Promise<void> {
  for (const { fields, url } of allowedOn(origin, outgoing, sources))
    await createObject(change, sourceKind(outgoing), { ...fields, url });
}

/**
 * Lets sources that ask this server at an address that it does not have any more, because it was started with another
 * one, ask at its address of now. Returns the number of sources that have changed.
 *
 * @param origin of this server
 */
export async function moveSources(
  change: Change,
  outgoing: Rules,
  sources: Sources,
  origin: string,
): Promise<number> {
  let moved = 0;
  for (const { fields, path, url } of allowedOn(origin, outgoing, sources)) {
    const source = await findSource(change.tx, fields.slug);
    if (source === undefined || source.url === url) continue;
    if (!source.url.endsWith(path) || !isThisMachine(source.url.slice(0, -path.length))) continue;
    await updateObject(change, sourceKind(outgoing), source.id, { url });
    moved += 1;
  }
  return moved;
}

/** Sources with their addresses on this server, but for those that the rules for outgoing requests forbid. */
function allowedOn(origin: string, outgoing: Rules, sources: Sources) {
  return sources
    .map(({ path, ...fields }) => ({ fields, path, url: origin + path }))
    .filter(({ url }) => outgoing.faultOf(url) === undefined);
}

function isThisMachine(origin: string): boolean {
  return /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(origin);
}
