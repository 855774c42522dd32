import { Button, Input, Textarea } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { helpAbove } from '../../ui/layout/help-above.ts';
import { LazyCodeEditor } from '../code/lazy-code-editor.tsx';
import { type RichSettings, toAllowed } from './model/elements.ts';
import { readRichText } from './model/rich-text.ts';
import type { Format } from './model/schema.ts';
import classes from './view/rich-text.module.css';
import { RichTextEditor } from './view/rich-text-editor.tsx';

export interface RichTextFieldProps {
  readonly label: string;
  readonly format: Format;
  /** What editors may add. */
  readonly settings: RichSettings;
  readonly isRequired?: boolean;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  /** The text gets the focus as soon as it is there. */
  readonly isFocused?: boolean;
  onChange(value: string): void;
}

/** A field of HTML or Markdown: the text as it looks, or its source. */
export function RichTextField(props: RichTextFieldProps) {
  const {
    label,
    format,
    settings,
    isRequired = false,
    help,
    error,
    value,
    isFocused = false,
    onChange,
  } = props;
  const id = useId();
  const { richtext, classes: own } = settings;
  const allowed = useMemo(() => toAllowed({ richtext, classes: own }), [richtext, own]);
  // How the value was when the field was opened: while it is edited, the view does not change by itself.
  const [opened] = useState(() => readRichText(value, format));
  const [isSource, setSource] = useState(opened.isOpaque);
  const [isFirst, setFirst] = useState(true);
  const toggle = () => {
    setSource(!isSource);
    setFirst(false);
  };
  const note = opened.isOpaque
    ? t('richtext.onlySource')
    : opened.hasPieces
      ? t('richtext.pieces')
      : undefined;
  return (
    <Input.Wrapper
      {...helpAbove}
      label={label}
      labelElement="div"
      withAsterisk={isRequired}
      description={help}
      error={error}
      errorProps={{ id: `${id}-error` }}
      className={classes['field'] ?? ''}
    >
      {isSource ? (
        <div className={classes['editor']}>
          <div className={classes['toolbar']}>
            <span className="rest" />
            <Button size="compact-sm" variant="subtle" leftSection={<Icon name="text-aa" />} onClick={toggle}>
              {t('richtext.showText')}
            </Button>
          </div>
          <Source label={label} format={format} value={value} onChange={onChange} />
        </div>
      ) : (
        <RichTextEditor
          label={label}
          format={format}
          allowed={allowed}
          value={value}
          isFocused={isFocused || !isFirst}
          describedBy={error === undefined ? undefined : `${id}-error`}
          onChange={onChange}
          onSource={toggle}
        />
      )}
      {note !== undefined && <p className={classes['note']}>{note}</p>}
    </Input.Wrapper>
  );
}

type SourceProps = Pick<RichTextFieldProps, 'label' | 'format' | 'value' | 'onChange'>;

function Source({ label, format, value, onChange }: SourceProps) {
  if (format === 'html')
    return (
      <div className={classes['code']}>
        <LazyCodeEditor label={label} language="html" value={value} onChange={onChange} />
      </div>
    );
  return (
    <Textarea
      aria-label={label}
      autosize
      minRows={6}
      maxRows={24}
      variant="unstyled"
      classNames={{ input: classes['markdown'] ?? '' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
