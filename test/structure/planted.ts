import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Names of the rules that an import breaks: writes the two files into a folder of their own and checks them there.
 *
 * @param from path of the importing file, from the root of the project
 * @param to path of the imported file
 * @param statement the import, with FILE in place of the imported file
 */
export async function findBrokenRules(
  rules: readonly IForbiddenRuleType[],
  from: string,
  to: string,
  statement = "import { planted } from 'FILE'; export const user = planted;",
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-planted-'));
  try {
    writeSource(join(folder, to), 'export const planted = 1;\n');
    const specifier = join('/', to).replace(/^\//, '../'.repeat(from.split('/').length - 1));
    writeSource(join(folder, from), `${statement.replace('FILE', `./${specifier}`)}\n`);
    const { output } = await cruise([from.split('/')[0] ?? '', to.split('/')[0] ?? ''], {
      baseDir: folder,
      parser: 'swc',
      validate: true,
      ruleSet: { forbidden: [...rules] },
      enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
    });
    if (typeof output === 'string') throw new Error(`dependency-cruiser answered a text: ${output}`);
    return [...new Set(output.summary.violations.map(({ rule }) => rule.name))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeSource(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
