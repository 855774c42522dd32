import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import type { LinkTarget } from './link-command.ts';
import { type LinkOffer, useLinkOffers } from './link-offers.ts';
import classes from './rich-text.module.css';

export interface LinkDialogProps {
  readonly target: LinkTarget;
  onLink(href: string, text: string): void;
  onRemove(): void;
  onClose(): void;
}

const icons = { page: 'file', item: 'rows', file: 'image' } as const;

/** Keeps the marked offer in view. */
function showOption(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Asks where words lead: an address, or a page, entry or file that is found by its name. */
export function LinkDialog({ target, onLink, onRemove, onClose }: LinkDialogProps) {
  const [href, setHref] = useState(target.href);
  const [text, setText] = useState(target.text);
  const [marked, setMarked] = useState(-1);
  const id = useId();
  // What is typed is an address, or words of what is looked for.
  const isAddress = /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?|\{)/i.test(href.trim());
  const offers = useLinkOffers(isAddress && href === target.href ? '' : href);
  const choose = ({ address, title }: LinkOffer) => {
    setHref(address);
    if (text === '') setText(title);
    setMarked(-1);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    const offer = offers[marked];
    if (offer !== undefined) choose(offer);
    else if (href.trim() !== '') onLink(href.trim(), text.trim() === '' ? href.trim() : text);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || offers.length === 0) return;
    event.preventDefault();
    setMarked((marked + step + offers.length) % offers.length);
  };
  const isNew = target.href === '';
  return (
    <Dialog onClose={onClose} title={t(isNew ? 'richtext.newLink' : 'richtext.changeLink')} size="lg">
      <form onSubmit={send}>
        <Stack gap={16}>
          <TextInput
            data-autofocus
            role="combobox"
            aria-expanded={offers.length > 0}
            aria-controls={`${id}-offers`}
            {...(marked < 0 ? {} : { 'aria-activedescendant': `${id}-${marked}` })}
            autoComplete="off"
            label={t('richtext.address')}
            description={t('richtext.addressHelp')}
            value={href}
            onChange={(event) => {
              setHref(event.currentTarget.value);
              setMarked(-1);
            }}
            onKeyDown={press}
          />
          <div
            id={`${id}-offers`}
            role="listbox"
            aria-label={t('richtext.offers')}
            className={classes['offers']}
          >
            {offers.map((offer, place) => (
              <div
                key={`${offer.kind} ${offer.address}`}
                id={`${id}-${place}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === marked}
                ref={place === marked ? showOption : undefined}
                className={classes['offer']}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(offer)}
                onKeyDown={(event) => event.key === 'Enter' && choose(offer)}
              >
                <Icon name={icons[offer.kind]} />
                <span>{offer.title || offer.address}</span>
                <span className="meta">{offer.address}</span>
              </div>
            ))}
          </div>
          <TextInput
            label={t('richtext.linkText')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            {!isNew && (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<Icon name="link-break" />}
                onClick={onRemove}
              >
                {t('richtext.removeLink')}
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" disabled={href.trim() === ''}>
              {t('richtext.setLink')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
