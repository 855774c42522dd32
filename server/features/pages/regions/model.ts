import Type, { type Static } from 'typebox';
import { regionTypes, richtextTools } from '../../../../compiler/index.ts';

export const RegionWords = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Words by the names of regions.',
});

export const SentRegions = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Words by the names of regions. Other names stay; null removes a name, so that its default shows.',
});

export const RegionSchema = Type.Object(
  {
    name: Type.String({ description: 'Name, unique in the page.' }),
    label: Type.String({ description: 'What editors read.' }),
    type: Type.Enum(regionTypes, { description: 'Type of the value.' }),
    help: Type.String({ description: 'A sentence for editors.' }),
    richtext: Type.Array(Type.Enum(richtextTools), {
      description: 'Tools of the editor for formatted text; empty = all.',
    }),
    default: Type.Union([Type.String(), Type.Null()], {
      description: 'What shows without a value; null if it is computed.',
    }),
    template: Type.String({ description: '`page`, or the name of the snippet that holds the region.' }),
  },
  { title: 'RegionSchema', description: 'A region in the templates of a page.' },
);
export type RegionSchema = Static<typeof RegionSchema>;
