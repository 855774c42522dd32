/** Fields with rules, the types that came later, and regions. */
import type { Admin, Fields } from './admin.ts';

/** @param site root page and a draft of a website @param picture ID of a file */
export async function addTypedEntries(
  admin: Admin,
  site: { home: number; draft: number },
  picture: number,
): Promise<void> {
  const typed = await admin.create('/collections', {
    slug: 'typed',
    name: 'Typed',
    public_api: true,
    fields: [
      { name: 'title', type: 'text', required: true, unique: true, help: 'Short ä', placeholder: 'e.g. Sea' },
      { name: 'code', type: 'text', pattern: '^[a-z]{2}$', pattern_help: 'two letters', default: 'ab' },
      { name: 'count', type: 'number', min: 1, max: 9, group: 'Numbers' },
      { name: 'words', type: 'html', richtext: ['bold', 'link'], classes: [{ name: 'big', label: 'Big' }] },
      { name: 'at', type: 'datetime', show_if: { field: 'count', op: 'set' } },
      { name: 'several', type: 'multiselect', options: ['red', 'a, b'] },
      { name: 'color', type: 'color' },
      { name: 'email', type: 'email' },
      { name: 'phone', type: 'phone' },
      { name: 'link', type: 'link' },
      { name: 'place', type: 'place' },
      {
        name: 'opening',
        type: 'group',
        many: true,
        max: 7,
        fields: [
          { name: 'day', type: 'text' },
          { name: 'picture', type: 'image' },
        ],
      },
    ],
  });
  const entry = (data: Fields) => admin.create(`/collections/${typed}/items`, { data, published: true });
  await entry({ title: 'Bare' });
  await entry({
    title: 'Full',
    code: 'xy',
    count: 3.5,
    words: '<p class="big">a <b>b</b></p>',
    at: '2026-05-31T09:30:00+02:00',
    several: ['a, b', 'red'],
    color: '#AbCdEf',
    email: 'a@odd.test',
    phone: '+49 (30) 123-4',
    link: { page: site.home, text: 'Home', new_tab: true },
    place: { lat: 54.1, lng: -7.5, label: 'Sea' },
    opening: [{ day: 'Monday', picture }, { day: 'ä' }],
  });
  const page = await admin.create('/pages', {
    parent_id: site.home,
    title: 'Regions',
    slug: 'regions',
    published: true,
    html:
      '{% region lead label="Lead" type="text" %}Default{% endregion %}' +
      '{% region more type="link" %}/{% endregion %}{% region kept %}<p>{{ page.title }}</p>{% endregion %}' +
      '{% for x in data("typed") %}<p>{{ x.title }} {{ x.at|date:"H:i" }} {{ x.link }} {{ x.opening.0.day }}</p>{% endfor %}',
  });
  await admin.put(`/pages/${page}`, {
    regions: { lead: 'Words ä', more: { page: site.draft }, unknown: 'x' },
  });
  await admin.put(`/pages/${site.home}`, { zone: 'Europe/Berlin' });
}
