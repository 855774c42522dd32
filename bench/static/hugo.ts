import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { draw } from '../../test/support/media.ts';
import { articleOf, imageCount, pageCount, sections } from './content.ts';

const execute = promisify(execFile);

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<header>{{ .Site.Title }}<nav>{{ range .Site.Menus.main }}<a href="{{ .URL }}">{{ .Name }}</a>{{ end }}</nav></header>
<main><h1>{{ .Title }}</h1>{{ with .Params.image }}<img src="/media/{{ . }}" loading="lazy">{{ end }}{{ .Content }}</main><footer>{{ .Site.Title }}</footer></body></html>`;

/**
 * Builds the same content with Hugo: the same Markdown, navigation and images, which it copies as they are. It has
 * the priority of the processes that export, which yield to others.
 *
 * @returns pages and seconds of each round; undefined where Hugo is not installed
 */
export async function measureHugo(rounds: number): Promise<{ pages: number; seconds: number }[] | undefined> {
  const program = process.env['HUGO'] ?? 'hugo';
  try {
    await execute(program, ['version']);
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'incipit-hugo-'));
  try {
    await writeContent(folder);
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
      rmSync(join(folder, 'public'), { recursive: true, force: true });
      const start = performance.now();
      await execute('nice', ['-n', '10', program, '--quiet'], { cwd: folder });
      const seconds = (performance.now() - start) / 1000;
      runs.push({ pages: countPages(join(folder, 'public')), seconds });
    }
    return runs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeContent(folder: string): Promise<void> {
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const menus = sections.map((name) => `[[menus.main]]\nname = "${name}"\nurl = "/${name}/"`).join('\n');
  write(
    'hugo.toml',
    `baseURL = "https://lighthouse.example/"\ntitle = "Lighthouse"\ndisableKinds = ["taxonomy", "term", "RSS"]\n${menus}\n`,
  );
  for (const name of ['single', 'list', 'home']) write(`layouts/_default/${name}.html`, page);
  for (const name of sections) write(`content/${name}.md`, `+++\ntitle = "${name}"\n+++\n`);
  for (let number = 0; number < pageCount; number += 1) {
    const { slug, title, image, markdown } = articleOf(number);
    write(
      `content/articles/${slug}.md`,
      `+++\ntitle = "${title}"\nimage = "image-${image}.jpg"\n+++\n${markdown}\n`,
    );
  }
  for (let number = 0; number < imageCount; number += 1)
    write(`static/media/image-${number}.jpg`, await draw({ width: 1000 + number, height: 600 }));
}

function countPages(folder: string): number {
  return readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('index.html'))
    .length;
}
