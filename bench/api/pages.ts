import { callApi, createToken } from '../serve/site.ts';

/** Pages of the website that is measured, the home page included. */
export const pageCount = 1000;

export interface ManyPages {
  readonly token: string;
  /** A page of usual size. */
  readonly pageId: number;
}

/** Creates a website of 1,000 pages through the API: sections of 33 pages each. */
export async function createManyPages(dataDir: string, url: string): Promise<ManyPages> {
  const token = createToken(dataDir);
  const site = await callApi(url, token, 'POST', '/sites', { title: 'Bench', domains: '' });
  let section = site;
  let pageId = site.id;
  for (let number = 1; number < pageCount; number += 1) {
    const startsSection = number % 34 === 1;
    const page = await callApi(url, token, 'POST', '/pages', {
      parent_id: startsSection ? site.id : section.id,
      title: `Page ${number}`,
      slug: `page-${number}`,
      description: 'A lamp of brass and glass, made by hand',
      html: pageSource(number),
      published: true,
    });
    if (startsSection) section = page;
    pageId = page.id;
  }
  return { token, pageId };
}

/** About 4 KB of template. */
function pageSource(number: number): string {
  const paragraph = `<p class="text">The lamp {{ page.title }} stands in room ${number}, next to the window.</p>\n`;
  return `<h1>{{ page.title }}</h1>\n${paragraph.repeat(45)}`;
}
