// Buttons that narrow the list of works to one gallery. The list itself is plain HTML and complete without them.

const TEXTS = {
  en: { all: 'All galleries', label: 'Show one gallery', count: (n) => (n === 1 ? '1 object' : `${n} objects`) },
  de: { all: 'Alle Säle', label: 'Einen Saal zeigen', count: (n) => (n === 1 ? '1 Objekt' : `${n} Objekte`) },
};

/** The galleries of the given tiles, each once, in the order in which they first appear. */
export function galleriesOf(tiles) {
  return [...new Map(tiles.map((tile) => [tile.dataset.gallery, tile.dataset.galleryName]))];
}

function enhance(list) {
  const tiles = [...list.children];
  const texts = document.documentElement.lang.startsWith('de') ? TEXTS.de : TEXTS.en;
  const bar = document.createElement('div');
  bar.className = 'galleries';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', texts.label);
  const count = document.createElement('output');
  count.className = 'galleries__count';

  const select = (gallery) => {
    for (const button of bar.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.value === gallery));
    }
    for (const tile of tiles) tile.hidden = gallery !== '' && tile.dataset.gallery !== gallery;
    count.textContent = texts.count(tiles.filter((tile) => !tile.hidden).length);
  };

  for (const [gallery, name] of [['', texts.all], ...galleriesOf(tiles)]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.value = gallery;
    button.textContent = name;
    button.addEventListener('click', () => select(gallery));
    bar.append(button);
  }
  bar.append(count);
  list.before(bar);
  select('');
}

for (const list of document.querySelectorAll('.works[data-filter]')) enhance(list);
