import { resolveSite } from '../content/site-host.ts';
import type { TaskContext } from './context.ts';
import { encodeTagged } from './encode.ts';
import type { RobotsResult, RobotsTask } from './messages/delivery.ts';

const allowAll = 'User-agent: *\nAllow: /\n';

/** `/robots.txt` (Core, "Public non-API routes"). */
export async function robotsTask(context: TaskContext, task: RobotsTask): Promise<RobotsResult> {
  const { value, reads } = await context.onSnapshot(0, () => {
    const table = context.memo.siteTable();
    const site = resolveSite(table, task.host);
    const root = site && context.memo.basics(site.siteId);
    const text =
      site === undefined || root === undefined
        ? allowAll
        : robotsText(root.robots_txt, `${context.tools.scheme}://${site.host}`);
    return { site, body: encodeTagged(text, 'often', task.encoding) };
  });
  return { reads, ...value };
}

/**
 * The website's own rules, else allow-all; a `Sitemap:` line is added if there is none.
 *
 * @param origin undefined if no sitemap has an address
 */
export function robotsText(own: string, origin: string | undefined): string {
  const rules = own.trim() === '' ? allowAll : own;
  if (origin === undefined || /^[ \t]*sitemap[ \t]*:/im.test(rules)) return rules;
  return `${rules.endsWith('\n') ? rules : `${rules}\n`}Sitemap: ${origin}/sitemap.xml\n`;
}
