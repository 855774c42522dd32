import type { Generated } from 'kysely';
import type { Connection } from './connection.ts';

/**
 * The columns of both databases as Kysely sees them; `migrations/` is what makes them.
 * Flags are 0 or 1, times are Unix seconds, JSON columns hold text or NULL.
 */

export interface ContentTables {
  pages: PagesTable;
  site_domains: { domain: string; root_id: number };
  assets: AssetsTable;
  page_assets: { page_id: number; asset_id: number; position: number; inherit: number };
  snippets: SnippetsTable;
  snippet_assets: { snippet_id: number; asset_id: number; position: number };
  preview_links: PreviewLinksTable;
  tokens: TokensTable;
  users: UsersTable;
  sessions: { hash: string; user_id: number; expires_at: number };
  settings: { key: string; value: string };
  revisions: RevisionsTable;
  redirects: RedirectsTable;
}

export interface ActivityTables {
  token_usage: { token_id: number; last_used_at: number };
  notfound: NotFoundTable;
  redirect_hits: { redirect_id: number; root_id: number; hits: number; last_hit_at: number };
}

export type ContentDb = Connection<ContentTables>;
export type ActivityDb = Connection<ActivityTables>;

export interface PagesTable {
  id: Generated<number>;
  parent_id: number | null;
  root_id: number;
  slug: string;
  path: string;
  sort: number;
  title: string;
  meta_title: string;
  html: string;
  head: string;
  description: string;
  html_attrs: string;
  body_attrs: string;
  lang: string;
  translation_group: Generated<string>;
  published: number;
  catch_all: number;
  no_cache: number;
  sitemap_exclude: number;
  noindex: number;
  nofollow: number;
  hide_in_nav: number;
  sitemap_source: string | null;
  source_url: Generated<string>;
  import_root: Generated<number>;
  local_modified: number;
  domains: string;
  default_site: number;
  notfound_page_id: number;
  og_image_file_id: number;
  favicon_file_id: number;
  robots_txt: string;
  created_at: number;
  updated_at: number;
}

interface AssetsTable {
  id: Generated<number>;
  name: string;
  kind: 'css' | 'js';
  content: string;
  folder: string;
  created_at: number;
  updated_at: number;
}

interface SnippetsTable {
  id: Generated<number>;
  name: string;
  description: string;
  content: string;
  folder: string;
  schema: string | null;
  page_layout: string | null;
  created_at: number;
  updated_at: number;
}

interface UsersTable {
  id: Generated<number>;
  username: string;
  password_hash: string;
  created_at: number;
  last_login_at: number | null;
}

interface PreviewLinksTable {
  id: Generated<number>;
  page_id: number;
  hash: string;
  note: string;
  created_at: number;
  expires_at: number;
}

interface TokensTable {
  id: Generated<number>;
  name: string;
  prefix: string;
  hash: string;
  can_write: number;
  created_at: number;
}

interface RevisionsTable {
  id: Generated<number>;
  kind: string;
  object_id: number;
  author: string;
  created_at: number;
  size: number;
  data: string;
}

interface RedirectsTable {
  id: Generated<number>;
  root_id: number;
  source: string;
  target: string;
  target_path: string;
  status: number;
  auto: number;
  created_at: number;
}

interface NotFoundTable {
  root_id: number;
  path: string;
  hits: number;
  first_at: number;
  last_at: number;
  referer: string;
  ignored: number;
}
