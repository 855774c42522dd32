import { ActionIcon, MultiSelect, TagsInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { collections } from '../../../content/collections.ts';
import { usePageTree } from '../../../content/pages.ts';
import { workflows } from '../../../content/workflows.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { grantKinds, type LimitName } from './grant-text.ts';
import classes from './people.module.css';

/** Most entries on offer; more are found by typing. */
const maxOffers = 50;

interface Offer {
  readonly value: string;
  readonly label: string;
}

interface LimitInputProps {
  readonly name: LimitName;
  readonly value: readonly (string | number)[];
  onChange(value: readonly (string | number)[]): void;
  onRemove(): void;
}

/** What one limit of a grant lets through. */
export function LimitInput({ name, value, onChange, onRemove }: LimitInputProps) {
  const offers = useOffers(name);
  const chosen = value.map(String);
  const label = t(`rights.limits.${name}`);
  const shared = {
    label,
    error: value.length === 0 && t('rights.emptyLimit'),
    value: chosen,
    limit: maxOffers,
  };
  const known = new Set(offers.map((offer) => offer.value));
  const missing = chosen.filter((entry) => !known.has(entry));
  return (
    <div className={classes['limit']}>
      {name === 'languages' ? (
        <TagsInput {...shared} data={offers.map((offer) => offer.value)} onChange={onChange} />
      ) : (
        <MultiSelect
          {...shared}
          data={[...offers, ...missing.map((entry) => ({ value: entry, label: `#${entry}` }))]}
          searchable
          nothingFoundMessage={t('entries.noHit')}
          onChange={(next) => onChange(name === 'kinds' ? next : next.map(toId))}
        />
      )}
      <ActionIcon aria-label={t('rights.removeLimit', { name: label })} onClick={onRemove}>
        <Icon name="x" />
      </ActionIcon>
    </div>
  );
}

/** Collections may be written by slug; those stay as they are. */
function toId(value: string): string | number {
  return /^\d+$/.test(value) ? Number(value) : value;
}

function useOffers(name: LimitName): readonly Offer[] {
  const { data: pages = [] } = usePageTree();
  const { data: known = [] } = collections.useList();
  const { data: flows = [] } = workflows.useList();
  const offer = (id: number, label: string): Offer => ({ value: String(id), label });
  const ofLimit: Readonly<Record<LimitName, () => readonly Offer[]>> = {
    kinds: () => grantKinds.map((kind) => ({ value: kind, label: t(`rights.kinds.${kind}`) })),
    sites: () => pages.filter(({ parent_id }) => parent_id === null).map(({ id, title }) => offer(id, title)),
    pages: () => pages.map(({ id, title, path }) => offer(id, `${title} (${path})`)),
    collections: () => known.map((collection) => offer(collection.id, collection.name)),
    languages: () =>
      [...new Set(pages.map(({ lang }) => lang))]
        .filter((lang) => lang !== '')
        .map((lang) => ({ value: lang, label: lang })),
    workflows: () => flows.map((flow) => offer(flow.id, flow.name)),
  };
  return ofLimit[name]();
}
