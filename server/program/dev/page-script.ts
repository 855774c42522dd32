/** What pages get that `incipit dev` shows: they load again after a change, and have the overlay of findings. */

/** Addresses of `incipit dev` itself. */
export const devPath = '/_incipit';

/** Puts the script at the end of a page. */
export function addScript(html: string, isDraft: boolean): string {
  const tag = `<script src="${devPath}/page.js"${isDraft ? ' data-draft' : ''} defer></script>`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end);
}

/** Scroll position and form values survive; style sheets are exchanged without loading the page again. */
export const pageScript = `(() => {
  const script = document.currentScript;
  const key = 'incipit-dev ' + location.pathname;
  const fields = () => [...document.querySelectorAll('input, textarea, select')].filter(({ type }) => type !== 'password' && type !== 'file');

  const stored = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (stored) {
    const { x, y, values } = JSON.parse(stored);
    const all = fields();
    if (all.length === values.length)
      all.forEach((field, index) => {
        if (typeof values[index] === 'boolean') field.checked = values[index];
        else field.value = values[index];
      });
    scrollTo({ left: x, top: y, behavior: 'instant' });
  }

  const reload = () => {
    const values = fields().map((field) => (field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value));
    sessionStorage.setItem(key, JSON.stringify({ x: scrollX, y: scrollY, values }));
    location.reload();
  };

  const reloadStyles = () => {
    for (const link of document.querySelectorAll('link[rel~="stylesheet"]')) {
      const url = new URL(link.href);
      if (url.origin !== location.origin) continue;
      url.searchParams.set('incipit', Date.now());
      const next = link.cloneNode();
      next.href = url.href;
      next.onload = next.onerror = () => link.remove();
      link.after(next);
    }
  };

  const host = document.createElement('div');
  host.id = 'incipit-dev';
  const root = host.attachShadow({ mode: 'open' });
  root.innerHTML = \`<style>
    :host { all: initial; }
    .badge, .panel { position: fixed; z-index: 2147483647; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
    .badge { top: 8px; right: 8px; padding: 2px 10px; border: 1px solid #8a6100; border-radius: 12px; background: #fff4d1; color: #5c4000; }
    .panel { inset: auto 0 0 0; max-height: 45vh; overflow: auto; padding: 12px 16px; background: #1d1f26; color: #f2efe9; box-shadow: 0 -8px 30px rgb(0 0 0 / 35%); }
    .panel[hidden], .badge[hidden] { display: none; }
    p { margin: 0 0 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
    .place { color: #9cc4ff; }
    .error { color: #ff9d90; }
    .warning { color: #f3cf7a; }
    button { float: right; font: inherit; color: inherit; background: none; border: 1px solid currentcolor; border-radius: 4px; cursor: pointer; }
  </style><div class="badge" hidden>Draft</div><section class="panel" role="status" aria-label="Findings" hidden></section>\`;
  root.querySelector('.badge').hidden = !script.hasAttribute('data-draft');
  const panel = root.querySelector('.panel');
  const show = (findings) => {
    panel.replaceChildren();
    panel.hidden = findings.length === 0;
    const close = document.createElement('button');
    close.textContent = 'Close';
    close.onclick = () => { panel.hidden = true; };
    panel.append(close);
    for (const { file, line, column, level, message } of findings) {
      const row = document.createElement('p');
      const part = (name, text) => {
        const span = document.createElement('span');
        span.className = name;
        span.textContent = text;
        return span;
      };
      row.append(part('place', file + ':' + line + ':' + column), ' ', part(level, level), ' ', message);
      panel.append(row);
    }
  };
  document.body.append(host);

  const events = new EventSource('${devPath}/events');
  let state;
  events.addEventListener('state', ({ data }) => {
    const { version, findings, styles } = JSON.parse(data);
    if (state !== undefined && version !== state) {
      if (styles) reloadStyles();
      else return reload();
    }
    state = version;
    show(findings);
  });
})();
`;
