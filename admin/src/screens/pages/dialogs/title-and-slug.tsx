import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormText } from '../../../kit/form/form-text.tsx';
import { createSlug } from '../../../kit/form/slug.ts';
import type { Sending } from '../../../kit/form/submit.ts';

export interface TitleAndSlugState {
  readonly title: string;
  readonly slug: string;
  setTitle(title: string): void;
  setSlug(slug: string): void;
}

/** The title of a new page and its slug, which follows the title until it is changed by hand. */
export function useTitleAndSlug(firstTitle = '', firstSlug?: string): TitleAndSlugState {
  const [title, setTitle] = useState(firstTitle);
  const [ownSlug, setSlug] = useState(firstSlug);
  return { title, slug: ownSlug ?? createSlug(title), setTitle, setSlug };
}

export interface TitleAndSlugProps {
  readonly state: TitleAndSlugState;
  /** Path of the page above. */
  readonly above: string;
  readonly faults: Sending['faults'];
}

export function TitleAndSlug({ state, above, faults }: TitleAndSlugProps) {
  const { t } = useTranslation();
  const { title, slug, setTitle, setSlug } = state;
  return (
    <>
      <FormText isFirst label={t('fields.title')} value={title} error={faults['title']} onChange={setTitle} />
      <FormText
        label={t('fields.slug')}
        help={`${above === '/' ? '' : above}/${slug}`}
        value={slug}
        error={faults['slug']}
        onChange={setSlug}
      />
    </>
  );
}
