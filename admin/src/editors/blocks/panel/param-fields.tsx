import { Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { BlockParam, BlockType } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import type { CollectionField } from '../../../content/collections.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { ValueInput } from '../../fields/entry-fields.tsx';
import { FieldSections } from '../../fields/field-sections.tsx';
import { isFieldShown } from '../../fields/shown-fields.ts';
import { computeBlockValues, readOverrides, setValue } from '../state/actions.ts';
import { type BlockEditing, type ParamFault, type ShownBlock, useEditing } from '../state/editing.ts';
import classes from './block-panel.module.css';

export interface ParamFieldsProps {
  readonly editing: BlockEditing;
  readonly shown: ShownBlock;
  readonly type: BlockType;
  readonly fault: ParamFault | undefined;
}

/** The parameters of a block in the order of its schema; those of design are folded away. */
export function ParamFields({ editing, shown, type, fault }: ParamFieldsProps) {
  // A text, so that only a change of what is shown draws the form again.
  const names = useEditing(editing, () => {
    const values = computeBlockValues(editing, shown);
    const params = type.params.filter((param) => isFieldShown(param, (name) => values[name]));
    return params.map(({ name }) => name).join(' ');
  }).split(' ');
  const params = type.params.filter(({ name }) => names.includes(name));
  const content = params.filter(({ design }) => !design);
  const design = params.filter((param) => param.design);
  const isWanted = useEditing(editing, () => design.some(({ name }) => name === editing.selection.field));
  const [isOpen, setOpen] = useState(content.length === 0);
  const isDesignShown = isOpen || isWanted;
  const field = (param: BlockParam) => (
    <ParamField
      key={`${shown.id} ${shown.inner} ${param.name}`}
      editing={editing}
      shown={shown}
      param={param}
      fault={fault?.param === param.name ? fault : undefined}
    />
  );
  return (
    <>
      <FieldSections fields={content}>{field}</FieldSections>
      {type.params.length === 0 && <p className="quiet line">{t('blocks.noParams')}</p>}
      {design.length > 0 && (
        <section className={classes['design']}>
          <UnstyledButton
            className={classes['fold']}
            aria-expanded={isDesignShown}
            onClick={() => setOpen(!isDesignShown)}
          >
            <Icon name={isDesignShown ? 'caret-down' : 'caret-right'} /> {t('blocks.design')}
          </UnstyledButton>
          {isDesignShown && <FieldSections fields={design}>{field}</FieldSections>}
        </section>
      )}
    </>
  );
}

interface ParamFieldProps extends Omit<ParamFieldsProps, 'type' | 'fault'> {
  readonly param: BlockParam;
  readonly fault: ParamFault | undefined;
}

/** One parameter. Only its own value draws it again. */
export function ParamField({ editing, shown, param, fault }: ParamFieldProps) {
  const value = useEditing(editing, () => computeBlockValues(editing, shown)[param.name]);
  const isOverridden = useEditing(
    editing,
    () => shown.inner !== undefined && Object.hasOwn(readOverrides(editing, shown), param.name),
  );
  const standard = defaultText(param.default, t('entries.yes'), t('entries.no'));
  const help = standard === '' || (value ?? '') !== '' ? undefined : t('blocks.default', { value: standard });
  return (
    <div className={classes['param']} data-param={param.name} data-overridden={isOverridden || undefined}>
      <ValueInput
        field={fieldOf(param)}
        value={value ?? (param.type === 'boolean' ? param.default : null) ?? null}
        help={help}
        error={fault?.part === '' ? fault.text : undefined}
        faults={fault === undefined || fault.part === '' ? undefined : { [fault.part]: fault.text }}
        onChange={(next) => setValue(editing, shown, param.name, next)}
      />
      {isOverridden && (
        <div className={classes['override']}>
          <span className="meta">{t('blocks.onlyHere')}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            color="plum"
            onClick={() => setValue(editing, shown, param.name, undefined)}
          >
            {t('blocks.reset')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A parameter as a field of a collection. Type boundary: parameters have the types of such fields. */
function fieldOf({ type, ...param }: BlockParam): CollectionField {
  return { ...param, type: type as CollectionField['type'], label: param.label || param.name };
}

function defaultText(value: unknown, yes: string, no: string): string {
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
