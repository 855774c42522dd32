import { Reply } from '../../api/reply.ts';
import { defineRoute } from '../../api/route.ts';
import type { Feature } from '../../feature.ts';
import { SchemaSnapshot } from './model.ts';
import { type SchemaParts, SchemaService } from './service.ts';

export interface SchemaFeature extends Feature {
  readonly schema: Pick<SchemaService, 'onChange'>;
}

/** The schema snapshot, for programs that write content (Data, Automation and Operations, "Schema snapshot"). */
export function schemaFeature(parts: SchemaParts): SchemaFeature {
  const schema = new SchemaService(parts);
  return {
    schema,
    about: { schema: 'What content can consist of.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/schema',
        access: 'read',
        needs: 'read',
        summary:
          'Collections, block types, websites and page layouts, with a version that tells of any change',
        response: SchemaSnapshot,
        isTagged: true,
        async handle() {
          const snapshot = await schema.get();
          return Reply.json(snapshot, { headers: [['ETag', `"${snapshot.version}"`]] });
        },
      }),
    ],
    followers: [schema],
    close: () => schema.close(),
  };
}
