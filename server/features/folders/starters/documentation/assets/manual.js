// Without this script all pages can be read and found; it adds a filter, the headings of a page, and buttons to copy.
const prose = document.querySelector('.prose');
const headings = document.querySelector('.headings');
const used = new Set();
for (const heading of prose?.querySelectorAll('h2') ?? []) {
  const name = heading.textContent.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  for (let number = 1; !heading.id; number += 1) {
    const id = number === 1 ? name : `${name}-${number}`;
    if (!used.has(id)) heading.id = id;
  }
  used.add(heading.id);
  const link = Object.assign(document.createElement('a'), { href: `#${heading.id}`, textContent: heading.textContent });
  const entry = document.createElement('li');
  entry.append(link);
  headings?.querySelector('ul')?.append(entry);
}
if (headings && used.size > 1) headings.hidden = false;
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();

for (const block of document.querySelectorAll('.prose pre')) {
  block.tabIndex = 0;
  if (!navigator.clipboard) continue;
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  const frame = Object.assign(document.createElement('div'), { className: 'code' });
  block.replaceWith(frame);
  frame.append(block, button);
}

const filter = document.querySelector('.filter');
if (filter) {
  filter.classList.add('works');
  const entries = [...document.querySelectorAll('.side li')];
  filter.querySelector('input').addEventListener('input', ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
  });
}
