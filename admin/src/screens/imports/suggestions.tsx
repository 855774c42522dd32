import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import type { ImportSuggestion } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import {
  applySuggestions,
  type ImportSuggestionsResult,
  suggestionsQuery,
} from '../../content/jobs/imports.ts';
import { usePageTree } from '../../content/pages.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { ScrolledText } from '../../ui/values/scrolled-text.tsx';
import classes from './result.module.css';

const TextDiff = lazy(async () => ({
  default: (await import('../../editors/versions/text-diff.tsx')).TextDiff,
}));

/** Layouts and snippets that the pages of an import could share. Nothing is saved before its effect was shown. */
export function Suggestions({ jobId }: { readonly jobId: string }) {
  const { data: suggestions, error } = useQuery(suggestionsQuery(jobId));
  const [applied, setApplied] = useState<ImportSuggestionsResult>();
  if (applied !== undefined) return <Applied result={applied} />;
  if (error !== null) return <FormError message={failureText(error)} />;
  if (suggestions === undefined) return <p className="quiet line">{t('imports.looking')}</p>;
  if (suggestions.length === 0) return <EmptyState>{t('imports.nothingShared')}</EmptyState>;
  return <SuggestionForm jobId={jobId} suggestions={suggestions} onApplied={setApplied} />;
}

interface SuggestionFormProps {
  readonly jobId: string;
  readonly suggestions: readonly ImportSuggestion[];
  onApplied(result: ImportSuggestionsResult): void;
}

function SuggestionForm({ jobId, suggestions, onApplied }: SuggestionFormProps) {
  const [chosen, setChosen] = useState<readonly string[]>(suggestions.map(({ id }) => id));
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [preview, setPreview] = useState<ImportSuggestionsResult>();
  // A preview counts for what was chosen when it was made.
  const change = (work: () => void) => {
    work();
    setPreview(undefined);
  };
  const body = { suggestions: [...chosen], names };
  const showing = useSubmit(async () =>
    setPreview(await applySuggestions(jobId, { ...body, dry_run: true })),
  );
  const applying = useSubmit(async () => {
    const result = await applySuggestions(jobId, body);
    for (const key of ['pages', 'snippets']) void queryClient.invalidateQueries({ queryKey: [key] });
    void queryClient.invalidateQueries(suggestionsQuery(jobId));
    onApplied(result);
  });
  return (
    <>
      <p className="quiet line">{t('imports.suggestionsLead')}</p>
      <FormError message={applying.message ?? showing.message ?? showing.faults['name']} />
      <ul className="plain-list stack-12">
        {suggestions.map((suggestion) => (
          <SuggestionEntry
            key={suggestion.id}
            suggestion={suggestion}
            isChosen={chosen.includes(suggestion.id)}
            name={names[suggestion.id] ?? `import/${suggestion.name}`}
            onToggle={(isChosen) =>
              change(() =>
                setChosen(
                  isChosen ? [...chosen, suggestion.id] : chosen.filter((id) => id !== suggestion.id),
                ),
              )
            }
            onName={(name) => change(() => setNames({ ...names, [suggestion.id]: name }))}
          />
        ))}
      </ul>
      {preview !== undefined && <Preview preview={preview} />}
      <Group>
        {preview === undefined || preview.pages.length === 0 ? (
          <Button
            loading={showing.isSending}
            disabled={chosen.length === 0}
            onClick={() => void showing.send()}
          >
            {t('imports.showEffect')}
          </Button>
        ) : (
          <Button loading={applying.isSending} onClick={() => void applying.send()}>
            {t('imports.apply', { count: preview.pages.length })}
          </Button>
        )}
      </Group>
    </>
  );
}

interface SuggestionEntryProps {
  readonly suggestion: ImportSuggestion;
  readonly isChosen: boolean;
  readonly name: string;
  onToggle(isChosen: boolean): void;
  onName(name: string): void;
}

function SuggestionEntry({ suggestion, isChosen, name, onToggle, onName }: SuggestionEntryProps) {
  const { kind, pages, html, parameters } = suggestion;
  return (
    <li className={classes['suggestion']}>
      <Checkbox
        label={t(`imports.suggestionKinds.${kind}`, { name: suggestion.name })}
        description={[
          t('imports.onPages', { count: pages.length }),
          ...(parameters.length === 0 ? [] : [t('imports.differs', { names: parameters.join(', ') })]),
        ].join(' · ')}
        checked={isChosen}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      {isChosen && (
        <TextInput
          label={t('imports.snippetName')}
          maw={400}
          value={name}
          onChange={(event) => onName(event.currentTarget.value)}
        />
      )}
      <details>
        <summary>{t('imports.sharedPart')}</summary>
        <ScrolledText className={classes['code']} text={html} />
      </details>
    </li>
  );
}

/** What would happen: pages whose output stays the same, those that are left out, and templates before and after. */
function Preview({ preview }: { readonly preview: ImportSuggestionsResult }) {
  const { pages, templates = [] } = preview;
  const { data: tree = [] } = usePageTree();
  const [shown, setShown] = useState(String(templates[0]?.id ?? 0));
  const pathOf = (id: number) => tree.find((page) => page.id === id)?.path ?? String(id);
  const template = templates.find(({ id }) => String(id) === shown);
  return (
    <section className={classes['compare']} aria-label={t('imports.effect')}>
      <h2>{t('imports.effect')}</h2>
      <p className={classes['same']} role="status">
        <Icon name={pages.length === 0 ? 'info' : 'check-circle'} />
        {pages.length === 0 ? t('imports.noPageChanges') : t('imports.sameOutput', { count: pages.length })}
      </p>
      <Skipped result={preview} pathOf={pathOf} />
      {template !== undefined && (
        <>
          <Select
            label={t('imports.templateOf')}
            maw={400}
            data={templates.map(({ id }) => ({ value: String(id), label: pathOf(id) }))}
            value={shown}
            allowDeselect={false}
            onChange={(value) => setShown(value ?? '')}
          />
          <Suspense>
            <TextDiff label={t('imports.templateOf')} before={template.before} after={template.after} />
          </Suspense>
        </>
      )}
    </section>
  );
}

interface SkippedProps {
  readonly result: ImportSuggestionsResult;
  pathOf(id: number): string;
}

function Skipped({ result: { skipped }, pathOf }: SkippedProps) {
  if (skipped.length === 0) return null;
  return (
    <>
      <p className={classes['other']}>
        <Icon name="warning" />
        {t('imports.leftOut', { count: skipped.length })}
      </p>
      <ul className={classes['reasons']}>
        {skipped.map(({ id, reason }) => (
          <li key={id}>
            {pathOf(id)}: {reason}
          </li>
        ))}
      </ul>
    </>
  );
}

function Applied({ result }: { readonly result: ImportSuggestionsResult }) {
  const { data: tree = [] } = usePageTree();
  return (
    <section className={classes['compare']}>
      <p className={classes['same']} role="status">
        <Icon name="check-circle" />
        {t('imports.applied', { count: result.pages.length })}
      </p>
      <ul className={classes['reasons']}>
        {result.snippets.map(({ id, name }) => (
          <li key={id}>
            <Link href={paths.snippet(id)}>{name}</Link>
          </li>
        ))}
      </ul>
      <Skipped result={result} pathOf={(id) => tree.find((page) => page.id === id)?.path ?? String(id)} />
    </section>
  );
}
