/** Change sets in each state, working copies of each kind, and the trash. */
import { uploadOne } from '../support/media.ts';
import type { Admin, Fields } from './admin.ts';

/** Later than any day on which a test runs, because the clock stands at the time of the state. */
const farAway = 4_000_000_000;

/** @param home root page of a website */
export async function addReleases(admin: Admin, home: number): Promise<void> {
  const release = (name: string) => admin.create('/change-sets', { name, note: 'odd ä' });
  const change = (set: number, kind: string, id: unknown, fields: Fields) =>
    admin.put(`/change-sets/${set}/items/${kind}/${id}`, fields);
  const page = async (title: string) =>
    admin.create('/pages', { parent_id: home, title, slug: title.toLowerCase(), published: true, html: 'x' });
  const [waiting, other] = [await page('Waiting'), await page('Other')];

  const open = await release('Open');
  await change(open, 'page', waiting, { title: 'Changed here', html: 'x\nnew' });
  const created = await admin.post(`/change-sets/${open}/items`, {
    op: 'create',
    kind: 'page',
    data: { parent_id: home, title: 'Created here', slug: 'created-here' },
  });
  await change(open, 'page', waiting, { html: `<a href="{{ page_url(${created['id']}) }}">x</a>` });
  await admin.post(`/change-sets/${open}/items`, { op: 'delete', kind: 'page', id: other });
  await admin.put(`/pages/${waiting}`, { title: 'Changed live too' });
  await admin.post(`/change-sets/${open}/comments`, {
    text: 'A comment ä',
    kind: 'page',
    id: waiting,
    field: 'title',
    quote: 'Changed',
  });
  await admin.post(`/change-sets/${open}/review`, { state: 'requested', note: 'please' });
  await admin.post(`/change-sets/${open}/preview-links`, { site_id: home });

  const scheduled = await release('Scheduled');
  await change(scheduled, 'page', other, { title: 'Some day' });
  await admin.put(`/change-sets/${scheduled}`, { publish_at: farAway });

  const published = await release('Published');
  await change(published, 'page', other, { title: 'Published' });
  await admin.post(`/change-sets/${published}/publish`);
  const reverted = await release('Reverted');
  await change(reverted, 'page', other, { title: 'Taken back' });
  await admin.post(`/change-sets/${reverted}/publish`);
  await admin.post(`/change-sets/${reverted}/revert`);
  const discarded = await release('Discarded');
  await change(discarded, 'page', other, { title: 'Never' });
  await admin.send('DELETE', `/change-sets/${discarded}`);

  await addCopies(admin, home);
}

/** What a working copy changes, for each kind. */
const copies: readonly [list: string, changes: Fields][] = [
  ['/pages', { title: 'In a copy' }],
  ['/snippets', { description: 'in a copy' }],
  ['/assets', { content: '/* in a copy */' }],
  ['/global-blocks', { description: 'in a copy' }],
  ['/collections', { name: 'In a copy' }],
  ['/collections/typed/items', { data: { count: 2 } }],
  ['/sources', { name: 'In a copy' }],
  ['/workflows', { description: 'in a copy' }],
  ['/flow-nodes', { description: 'in a copy' }],
  ['/folders', { name: 'In a copy' }],
  ['/files', { alt: 'in a copy' }],
];

async function addCopies(admin: Admin, home: number): Promise<void> {
  for (const [list, changes] of copies) {
    const objects = await admin.list(list);
    await admin.put(`${list}/${objects.at(-1)?.['id']}/copy`, changes);
  }
  const [redirect] = await admin.list(`/redirects?root_id=${home}`);
  await admin.put(`/redirects/${redirect?.['id']}/copy`, { target: '/in-a-copy' });
}

/** Deletes one object of each kind, some with what belongs to them. @param home root page of a website */
export async function addTrash(admin: Admin, home: number): Promise<void> {
  const page = (fields: Fields) => admin.create('/pages', { published: true, html: 'x', ...fields });
  const gone = await page({ parent_id: home, title: 'Gone', slug: 'gone-page', lang: 'en' });
  const below = await page({ parent_id: gone, title: 'Below', slug: 'below' });
  await admin.put(`/pages/${below}`, { slug: 'moved' });
  const snippet = await admin.create('/snippets', { name: 'gone', content: 'x' });
  const asset = await admin.create('/assets', { name: 'gone.css', kind: 'css', content: 'x {}' });
  await admin.put(`/pages/${below}/assets`, [{ asset_id: asset }]);
  const shared = await admin.create('/global-blocks', { name: 'gone', blocks: [] });
  const fields = [{ name: 'title', type: 'text' }];
  const collection = await admin.create('/collections', { slug: 'gone', fields });
  await admin.create('/collections/gone/items', { data: { title: 'Gone with it' } });
  const alone = await admin.create('/collections/gone/items', { data: { title: 'Gone before' } });
  const redirect = await admin.create('/redirects', { root_id: home, source: '/gone-away', target: '/' });
  const source = await admin.create('/sources', { slug: 'gone-source', url: 'http://127.0.0.1:9/' });
  const workflow = await admin.create('/workflows', { name: 'gone', flow: { nodes: [], wires: [] } });
  const node = await admin.create('/flow-nodes', {
    key: 'gone',
    name: 'Gone',
    outputs: ['a'],
    code: 'return msg;',
  });
  const folder = await admin.create('/folders', { name: 'Gone' });
  const file = await uploadOne(admin.server, 'gone.txt', 'Gone ä', { folder_id: String(folder) });
  for (const path of [
    `/collections/gone/items/${alone}`,
    ...[`/pages/${gone}`, `/snippets/${snippet}`, `/assets/${asset}`, `/global-blocks/${shared}`],
    ...[`/collections/${collection}`, `/redirects/${redirect}`, `/sources/${source}`],
    ...[`/workflows/${workflow}`, `/flow-nodes/${node}`, `/files/${file['id']}`, `/folders/${folder}`],
  ])
    await admin.send('DELETE', path);
}
