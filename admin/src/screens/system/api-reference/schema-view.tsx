import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import {
  type Description,
  limitTexts,
  listMembers,
  type Member,
  type Schema,
  typeText,
} from './description.ts';
import { Documentation } from './documentation.tsx';
import classes from './reference.module.css';

export interface SchemaViewProps {
  readonly schema: Schema;
  readonly schemas: Description['components']['schemas'];
}

/** The members of a value. What they consist of opens on request, because types may hold themselves. */
export function SchemaView({ schema, schemas }: SchemaViewProps) {
  const members = listMembers(schema, schemas);
  if (members.length === 0) return <code className={classes['type']}>{typeText(schema)}</code>;
  return (
    <ul className={classes['members']}>
      {members.map((member, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two forms of a value may have members of the same name
        <li key={index}>
          <MemberView member={member} schemas={schemas} />
        </li>
      ))}
    </ul>
  );
}

function MemberView({
  member: { name, schema, isRequired },
  schemas,
}: Pick<SchemaViewProps, 'schemas'> & { readonly member: Member }) {
  return (
    <>
      <p className={classes['member']}>
        <code className={classes['name']}>{name}</code>{' '}
        <code className={classes['type']}>{typeText(schema)}</code>{' '}
        <span className="meta">
          {[...(isRequired ? [t('reference.required')] : []), ...limitTexts(schema)].join(' · ')}
        </span>
      </p>
      <Documentation className="line" text={schema.description ?? ''} />
      {listMembers(schema, schemas).length > 0 && (
        <SchemaDetails label={t('reference.members')} schema={schema} schemas={schemas} />
      )}
    </>
  );
}

/** A schema that is drawn when it is opened. */
export function SchemaDetails({ label, ...props }: SchemaViewProps & { readonly label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes['details']}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {isOpen && <SchemaView {...props} />}
    </details>
  );
}
