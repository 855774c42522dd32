import { useTranslation } from 'react-i18next';
import { FormText } from './form-text.tsx';

interface NameAndSlugProps {
  readonly name: string;
  readonly slug: string;
  /** What the server found wrong, by field. */
  readonly faults: Readonly<Record<string, string>>;
  onName(name: string): void;
  onSlug(slug: string): void;
}

/** The first fields of a new object that has a name and a slug. */
export function NameAndSlug({ name, slug, faults, onName, onSlug }: NameAndSlugProps) {
  const { t } = useTranslation();
  return (
    <>
      <FormText isFirst label={t('fields.name')} value={name} error={faults['name']} onChange={onName} />
      <FormText
        label={t('collections.slug')}
        help={t('collections.slugHelp')}
        value={slug}
        error={faults['slug']}
        onChange={onSlug}
      />
    </>
  );
}
