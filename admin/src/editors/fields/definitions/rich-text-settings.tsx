/** What a rich text offers to editors: its tools, and classes of the website's own. */
import { Checkbox, Group, Input, TextInput } from '@mantine/core';
import type { CollectionField } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { joinFaults, pickFaults, type ValueFaults } from '../parts.ts';
import { RowList } from '../row-list.tsx';
import { RowTools } from '../row-tools.tsx';
import classes from './field-row.module.css';

type Tool = NonNullable<CollectionField['richtext']>[number];

const tools = [
  'bold',
  'italic',
  'link',
  'lists',
  'headings',
  'quote',
  'code',
  'table',
  'image',
] as const satisfies readonly Tool[];

interface ToolsInputProps {
  /** Undefined = all. */
  readonly tools: readonly Tool[] | undefined;
  readonly error: string | undefined;
  onChange(tools: readonly Tool[] | undefined): void;
}

export function ToolsInput({ tools: chosen = tools, error, onChange }: ToolsInputProps) {
  return (
    <Checkbox.Group
      label={t('schema.richtext')}
      description={t('schema.richtextHelp')}
      value={[...chosen]}
      error={error}
      onChange={(next) => {
        const kept = tools.filter((tool) => next.includes(tool));
        onChange(kept.length === tools.length ? undefined : kept);
      }}
    >
      <Group gap={16} mt={4}>
        {tools.map((tool) => (
          <Checkbox key={tool} value={tool} label={t(`schema.tools.${tool}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

type OfferedClass = NonNullable<CollectionField['classes']>[number];

interface ClassesInputProps {
  readonly list: readonly OfferedClass[];
  readonly faults: ValueFaults;
  onChange(list: readonly OfferedClass[]): void;
}

export function ClassesInput({ list, faults, onChange }: ClassesInputProps) {
  return (
    <Input.Wrapper
      label={t('schema.classes')}
      labelElement="div"
      description={t('schema.classesHelp')}
      error={faults.error}
    >
      <fieldset className={classes['list']} aria-label={t('schema.classes')}>
        <RowList<OfferedClass>
          items={list}
          add={t('schema.addClass')}
          size="compact-sm"
          newItem={{ name: '', label: '' }}
          onChange={onChange}
        >
          {(item, row) => (
            <div className={classes['class']}>
              <TextInput
                label={t('schema.className')}
                value={item.name}
                error={joinFaults(pickFaults(faults.inner, String(row.place)))}
                onChange={(event) => row.onChange({ ...item, name: event.currentTarget.value })}
              />
              <TextInput
                label={t('schema.label')}
                value={item.label}
                onChange={(event) => row.onChange({ ...item, label: event.currentTarget.value })}
              />
              <span className={classes['actions']}>
                <RowTools {...row} size={28} title={item.label || item.name || t('schema.className')} />
              </span>
            </div>
          )}
        </RowList>
      </fieldset>
    </Input.Wrapper>
  );
}
