import { ErrorPlaces } from '../../grammar/errors.ts';
import { splitName } from '../../grammar/names.ts';
import { findShape } from '../content/items/shape.ts';
import type { Description, TemplateError } from '../engine.ts';
import { collectionWorld } from '../page/collection-world.ts';
import { dataLinksIn, linksIn, mediaLinksIn } from '../page/links.ts';
import { systemObjects } from '../page/system-objects.ts';
import { isPageTemplate } from '../page/template-name.ts';
import type { TaskContext } from './context.ts';
import type {
  CheckTemplateTask,
  ReportedRegion,
  TemplateReport,
  TemplateWarning,
  TextReference,
} from './messages/checks.ts';

/** Names of snippets that are looked through for a suggestion. */
const maxSnippetNames = 5_000;

/** Checks a template, which does not need to be stored. */
export async function checkTemplateTask(
  context: TaskContext,
  task: CheckTemplateTask,
): Promise<TemplateReport> {
  const { value } = await context.onSnapshot(0, () => reportOn(context, task));
  return value;
}

function reportOn({ tools }: TaskContext, task: CheckTemplateTask): TemplateReport {
  const { name, source, changed, isBlockType = false } = task;
  const { engine, memo } = tools;
  let names: readonly string[] | undefined;
  const { mistakes, findings, description } = engine.inspect(source, name, {
    hasSnippet: (snippet) => memo.snippet(snippet) !== undefined,
    snippetNames: () => {
      names ??= memo.snippetNames(maxSnippetNames);
      return names;
    },
    hasAsset: (id) => memo.assetRef(id) !== undefined,
    ...collectionWorld(memo.items, changed),
    system: systemObjects,
    isPage: isPageTemplate(name),
    isBlockType,
  });
  const warnings = [
    ...mistakes.map((error) => warningOf('template.syntax', error, { message: error.reason })),
    ...findings.map(({ code, error, params }) => warningOf(code, error, params)),
  ];
  return {
    warnings,
    rendersBlocks: description?.rendersBlocks ?? false,
    slots: description?.facts.slots ?? [],
    references: referencesOf(source, description),
    regions: toReportedRegions(task, description?.regions ?? []),
  };
}

function toReportedRegions(
  { name, source }: Pick<CheckTemplateTask, 'name' | 'source'>,
  regions: Description['regions'],
): ReportedRegion[] {
  if (regions.length === 0) return [];
  const places = new ErrorPlaces({ name, source });
  return regions.map(({ offset, ...region }) => {
    const { template, line, column } = places.at(offset, '');
    return { ...region, place: { template, line, column } };
  });
}

/** A bare word after `include` counts as a name, because it is one if there is such a snippet. */
function referencesOf(source: string, description: Description | undefined): TextReference[] {
  const {
    dependencies = [],
    assets = [],
    files = [],
    pages = [],
    collections = [],
  } = description?.facts ?? {};
  const snippets = dependencies.flatMap(({ name }) => (name === null ? [] : [splitName(name).template]));
  const keys: Readonly<Record<TextReference['kind'], readonly string[]>> = {
    snippet: snippets,
    asset: assets.map(({ id }) => String(id)),
    file: files.map(({ id }) => String(id)),
    media: mediaLinksIn(source),
    page: pages.map(({ id }) => String(id)),
    link: linksIn(source),
    collection: [...collections, ...dataLinksIn(source)].map(({ slug }) => slug),
    query: collections.flatMap((read) => findShape(read) ?? []),
  };
  return kindsOfReferences.flatMap((kind) => [...new Set(keys[kind])].map((key) => ({ kind, key })));
}

const kindsOfReferences = [
  'snippet',
  'asset',
  'file',
  'media',
  'page',
  'link',
  'collection',
  'query',
] as const;

function warningOf(
  code: TemplateWarning['code'],
  { message, template, line, column }: TemplateError,
  params: TemplateWarning['params'],
): TemplateWarning {
  return { code, error: message, params: { template, line, column, ...params } };
}
