import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { draw } from '../../test/support/media.ts';
import { articleOf, imageCount, pageCount, sections } from './content.ts';
import type { Contestant } from './incipit.ts';

const execute = promisify(execFile);

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<header>{{ .Site.Title }}<nav>{{ range .Site.Menus.main }}<a href="{{ .URL }}">{{ .Name }}</a>{{ end }}</nav></header>
<main><h1>{{ .Title }}</h1>{{ with .Params.image }}<img src="/media/{{ . }}" loading="lazy">{{ end }}{{ .Content }}</main><footer>{{ .Site.Title }}</footer></body></html>`;

/**
 * Builds the same content with Hugo: the same Markdown, navigation and images, which it copies as they are. It has
 * the priority of the processes that export, which yield to others. Undefined where Hugo is not installed.
 */
export async function openHugo(): Promise<Contestant | undefined> {
  const program = process.env['HUGO'] ?? 'hugo';
  try {
    await execute(program, ['version']);
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'incipit-hugo-'));
  await writeContent(folder);
  return {
    async run() {
      rmSync(join(folder, 'public'), { recursive: true, force: true });
      const start = performance.now();
      // `times` prints what the shell has used, and then what its children have used.
      const { stdout } = await execute('sh', ['-c', 'nice -n 10 "$0" --quiet && times', program], {
        cwd: folder,
      });
      const seconds = (performance.now() - start) / 1000;
      return {
        pages: countPages(join(folder, 'public')),
        seconds,
        cpuSeconds: secondsIn(stdout.trim().split('\n').at(-1) ?? ''),
      };
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The sum of times such as `0m0.71s 0m0.44s`. */
function secondsIn(line: string): number {
  const times = line.matchAll(/(\d+)m([\d.]+)s/g);
  return [...times].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
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
