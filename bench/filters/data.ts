/** Rows whose values differ in kind and alphabet, as on a page of a real website. */
export interface Row {
  readonly title: string;
  readonly text: string;
  readonly html: string;
  /** `2026-05-01`, and the same with a time and offset. */
  readonly day: string;
  readonly time: string;
  readonly date: Date;
  readonly price: number;
  readonly ratio: number;
  readonly count: number;
  readonly bytes: number;
  readonly isNew: boolean;
  readonly tags: readonly string[];
}

const titles = [
  'How to hear a second',
  'Über die Brücke',
  'the map of tides & winds',
  'Crème brûlée, twice',
  'a long walk home',
  'Ночной поезд',
  'notes on "glass"',
  'Year in pictures 🎞',
];

const texts = [
  'Nothing moved on the water that morning. We waited until the fog was gone, and then a little longer.',
  'First line\nsecond line\n\nA new paragraph with <b>markup</b> & more of it.',
  'Die Tür stand offen. Im Flur roch es nach Öl und nassem Holz, und niemand antwortete.',
  'One line.\r\nAnother line.\r\n\r\nThe end.',
  'The keeper wrote the hour, the wind and the light into his book, every evening for thirty years.',
];

const htmls = [
  '<p>Nothing moved on the <em>water</em> that morning.</p>',
  'No tags in this text at all, only words.',
  '<p>Die Tür stand <a href="/open?a=1&amp;b=2" class="link">offen</a>.</p>\n<p>Niemand antwortete.</p>',
  '<ul><li>One</li><li>Two</li></ul>',
];

export const rows: readonly Row[] = Array.from({ length: 120 }, (_, index) => {
  const date = new Date(Date.UTC(2024, index % 12, 1 + (index % 28), index % 24, (index * 7) % 60));
  return {
    title: titles[index % titles.length] ?? '',
    text: texts[index % texts.length] ?? '',
    html: htmls[index % htmls.length] ?? '',
    day: date.toISOString().slice(0, 10),
    time: date.toISOString().replace('.000', ''),
    date,
    price: (index * 738) / 100,
    ratio: (index * 31) / 7,
    count: (index * 37) % 113,
    bytes: index * index * 1531,
    isNew: index % 3 === 0,
    tags: ['sea', 'fog', 'light'].slice(0, index % 4),
  };
});
