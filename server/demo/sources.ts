/** The REST sources of the demo website: addresses of the server itself, so that nothing comes from another host. */
import Type, { type Static } from 'typebox';
import type { Change } from '../change.ts';
import { createObject } from '../kinds/objects.ts';
import type { Outgoing } from '../outgoing/client.ts';
import { SourceCreate } from '../sources/model.ts';
import { sourceKind } from '../sources/service.ts';

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
