/** Workflows in `workflows/<name>.json`; the code of their nodes lies next to them. */
import type { FolderObject, TextPlace } from '../content.ts';
import { encodeName } from '../file-names.ts';
import { flag, type KeyFormats, object, pickKeys, readKeys, text } from '../keys.ts';
import { toFlow } from '../normal.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import { formatJson, isFields, parseJsonKeys } from '../text-file.ts';
import type { KindFormat, WrittenFiles } from './kind-format.ts';
import { readFileStem, readTexts } from './simple.ts';

const workflowKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  description: text(),
  enabled: flag(true),
  flow: object,
};

type Node = Readonly<Record<string, unknown>>;

export const workflowFormat: KindFormat = {
  kind: 'workflow',
  read: (files) => readTexts(files, 'workflows', ['.json'], (key) => readWorkflow(files, key), ['.js']),
  write(objects, files) {
    for (const { key, fields } of objects) {
      const name = fields['name'] === readFileStem(key) ? null : fields['name'];
      const flow = withCodeFiles(key, fields['flow'], files);
      files.set(key, formatJson(pickKeys({ ...fields, name, flow }, workflowKeys)));
    }
  },
};

function readWorkflow(files: SourceFiles, key: string): FolderObject | undefined {
  const parsed = parseFile(files, key, parseJsonKeys);
  if (parsed === undefined) return undefined;
  const fields = readKeys(files, key, parsed, workflowKeys);
  const all = [key];
  const places: Record<string, TextPlace> = {};
  const flow = mapNodes(toFlow(fields['flow']), (node) => {
    const config = node['config'];
    const code = isFields(config) ? config['code'] : undefined;
    if (!isFields(config) || !isFields(code)) return node;
    const path = `workflows/${String(code['file'])}`;
    if (!files.texts.has(path))
      files.report({
        file: key,
        ...parsed.placeOf('flow'),
        code: 'folder.codeMissing',
        message: `The node ${JSON.stringify(node['id'])} names the file ${path}, which is missing. Add it.`,
      });
    all.push(path);
    places[`flow.${String(node['id'])}`] = { file: path, line: 1, column: 1 };
    return { ...node, config: { ...config, code: parseFile(files, path, (source) => source) ?? '' } };
  });
  const name = fields['name'] ?? readFileStem(key);
  return { kind: 'workflow', key, fields: { ...fields, name, flow }, files: all, places };
}

/** The flow with the names of files in the place of the code of its nodes. */
function withCodeFiles(key: string, flow: unknown, files: WrittenFiles): unknown {
  const stem = key.slice('workflows/'.length, -'.json'.length);
  return mapNodes(flow, (node) => {
    const config = node['config'];
    const code = isFields(config) ? config['code'] : undefined;
    if (!isFields(config) || typeof code !== 'string' || code === '' || node['type'] !== 'function')
      return node;
    let file = `${stem}.${encodeName(String(node['id']))}.js`;
    while (files.has(`workflows/${file}`)) file = `${file.slice(0, -3)}-2.js`;
    files.set(`workflows/${file}`, code);
    return { ...node, config: { ...config, code: { file } } };
  });
}

export function mapNodes(flow: unknown, map: (node: Node) => Node): unknown {
  if (!isFields(flow) || !Array.isArray(flow['nodes'])) return flow;
  const nodes: readonly unknown[] = flow['nodes'];
  return { ...flow, nodes: nodes.map((node) => (isFields(node) ? map(node) : node)) };
}
