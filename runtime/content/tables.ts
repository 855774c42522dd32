import type { Columns } from './columns.ts';

/** The tables of content.db that renders read; the migrations of the server make them. */

export const pageColumns = {
  id: 'integer',
  parent_id: 'integer?',
  root_id: 'integer',
  slug: 'text',
  path: 'text',
  sort: 'integer',
  title: 'text',
  meta_title: 'text',
  html: 'text',
  head: 'text',
  description: 'text',
  html_attrs: 'text',
  body_attrs: 'text',
  lang: 'text',
  translation_group: 'text',
  published: 'flag',
  catch_all: 'flag',
  no_cache: 'flag',
  sitemap_exclude: 'flag',
  noindex: 'flag',
  nofollow: 'flag',
  hide_in_nav: 'flag',
  sitemap_source: 'json?',
  source_url: 'text',
  import_root: 'integer',
  local_modified: 'flag',
  domains: 'text',
  default_site: 'flag',
  notfound_page_id: 'integer',
  og_image_file_id: 'integer',
  favicon_file_id: 'integer',
  robots_txt: 'text',
  zone: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  blocks: 'json',
  regions: 'json',
} as const satisfies Columns;

export const assetColumns = {
  id: 'integer',
  name: 'text',
  kind: ['css', 'js'],
  content: 'text',
  folder: 'text',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

export const snippetColumns = {
  id: 'integer',
  name: 'text',
  description: 'text',
  content: 'text',
  folder: 'text',
  schema: 'json?',
  page_layout: 'json?',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

export const globalBlockColumns = {
  id: 'integer',
  name: 'text',
  folder: 'text',
  description: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  blocks: 'json',
} as const satisfies Columns;

export const redirectColumns = {
  id: 'integer',
  root_id: 'integer',
  source: 'text',
  target: 'text',
  target_path: 'text',
  status: [301, 302],
  auto: 'flag',
  created_at: 'integer',
} as const satisfies Columns;

/** `width`, `height`, `focus_x` and `focus_y` are numbers, the last two not whole. */
export const fileColumns = {
  id: 'integer',
  name: 'text',
  path: 'text',
  mime: 'text',
  kind: ['image', 'video', 'audio', 'document', 'font', 'other'],
  size: 'integer',
  width: 'integer?',
  height: 'integer?',
  alt: 'text',
  folder_id: 'integer',
  private: 'flag',
  focus_x: 'integer',
  focus_y: 'integer',
  placeholder: 'text',
  source_url: 'text',
  content: 'text',
  format: ['', 'jpeg', 'png', 'webp', 'gif', 'avif'],
  animated: 'flag',
  avif: 'flag',
  variants: ['none', 'pending', 'done', 'failed'],
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

export const collectionColumns = {
  id: 'integer',
  slug: 'text',
  name: 'text',
  folder: 'text',
  public_api: 'flag',
  live: 'flag',
  singleton: 'flag',
  detail_page_id: 'integer',
  detail_field: 'text',
  lang: 'text',
  fields: 'json',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

export const itemColumns = {
  id: 'integer',
  collection_id: 'integer',
  sort: 'integer',
  published: 'flag',
  translation_group: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  data: 'json',
} as const satisfies Columns;

export const sourceColumns = {
  id: 'integer',
  slug: 'text',
  name: 'text',
  method: ['GET', 'POST'],
  url: 'text',
  headers: 'json',
  body: 'text',
  list_path: 'text',
  cache_ttl: 'integer',
  timeout: 'integer',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;
