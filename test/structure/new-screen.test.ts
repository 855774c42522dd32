/** What a screen of a new resource costs: a list with a filter, a dialog, a form and a deletion. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const maxLines = 80;
const root = join(import.meta.dirname, '..', '..');
const generated = join(root, 'admin', 'generated');

const screen = `import * as forms from '../../api/generated/forms.ts';
import type { Source } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { deleteCommand } from '../../kit/delete/delete-command.tsx';
import { ObjectForm } from '../../kit/form/object-form.tsx';
import { slugField } from '../../kit/form/slug.ts';
import { ListScreen } from '../../kit/list/list-screen.tsx';

const samples = new Resource('/sources', { feeds: ['source'] });

/** Samples, beside them the open one. */
export function SamplesScreen() {
  return (
    <ListScreen
      resource={samples}
      title="nav.sources"
      texts="sources"
      list={paths.sources()}
      path={({ id }) => paths.source(id)}
      words={({ name, slug }) => \`\${name} \${slug}\`}
      row={({ name, method }) => ({ name, tags: [{ text: method }] })}
      create={{
        initial: { name: '', slug: '', url: 'https://' },
        fields: ['name', slugField, 'url'],
        create: (body) => samples.create(body),
      }}
    >
      {(sample) => <SampleForm sample={sample} />}
    </ListScreen>
  );
}

function SampleForm({ sample }: { readonly sample: Source }) {
  const { id, name } = sample;
  const list = paths.sources();
  return (
    <ObjectForm
      title={name}
      list={{ name: t('nav.sources'), path: list }}
      saveLabel="sources.save"
      schema={forms.SourceUpdate}
      texts="sources"
      layout={['name', ['method', 'url']]}
      object={sample}
      save={(changes) => samples.update(id, changes)}
      commands={[deleteCommand(samples, id, { label: 'sources.delete', name, list })]}
    />
  );
}
`;

/** What the compiler says of a screen below \`admin/src/screens\`; empty if nothing. */
async function faultsOf(text: string): Promise<string> {
  mkdirSync(generated, { recursive: true });
  const folder = mkdtempSync(join(generated, 'screen-'));
  try {
    writeFileSync(join(folder, 'screen.tsx'), text.replaceAll("'../../", "'../../src/"));
    const config = { extends: '../../tsconfig.json', include: ['screen.tsx'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    return await promisify(execFile)(compiler, ['--noEmit', '-p', folder]).then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`a new resource with list, form and deletion is at most ${maxLines} lines`, async () => {
  expect(screen.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines);
  expect(await faultsOf(screen)).toBe('');
  // The compiler reads it: what the API does not have is refused.
  expect(await faultsOf(screen.replace('({ name, method })', '({ name, colour })'))).toMatch(/error TS/);
});
