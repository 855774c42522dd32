import Type, { type Static } from 'typebox';
import { Collection } from '../collections/model.ts';
import { BlockType, PageLayoutEntry } from '../snippets/model.ts';

const SchemaCollection = Type.Object(
  Type.Pick(Collection, [
    'id',
    'slug',
    'name',
    'lang',
    'singleton',
    'public_api',
    'live',
    'detail_page_id',
    'detail_field',
    'fields',
  ]).properties,
  { title: 'SchemaCollection', description: 'A collection without its entries.' },
);

const SchemaSite = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the home page.' }),
    title: Type.String({ description: 'Title of the home page.' }),
    lang: Type.String({ description: 'Language of the website; empty = none.' }),
    domains: Type.Array(Type.String(), { description: 'Its domains.' }),
    default: Type.Boolean({ description: 'Whether it answers for domains that no website lists.' }),
  },
  { title: 'SchemaSite', description: 'A website.' },
);

export const SchemaSnapshot = Type.Object(
  {
    version: Type.String({ description: 'Hash of everything below; also sent as `ETag`.' }),
    collections: Type.Array(SchemaCollection, { description: 'All collections, by ID.' }),
    block_types: Type.Array(BlockType, { description: 'As in `GET /blocks/types`.' }),
    languages: Type.Array(Type.String(), { description: 'Languages of websites and collections.' }),
    sites: Type.Array(SchemaSite, { description: 'All websites, by ID.' }),
    page_layouts: Type.Array(PageLayoutEntry, { description: 'As in `GET /page-layouts`.' }),
  },
  { title: 'SchemaSnapshot', description: 'What content can consist of.' },
);
export type SchemaSnapshot = Static<typeof SchemaSnapshot>;
export type SchemaContent = Omit<SchemaSnapshot, 'version'>;
