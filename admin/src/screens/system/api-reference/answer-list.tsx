import { findText, t } from '../../../base/i18n/index.ts';
import { type Description, errorCodesIn, listMembers, type Operation, typeText } from './description.ts';
import { Documentation } from './documentation.tsx';
import classes from './reference.module.css';
import { SchemaDetails } from './schema-view.tsx';

export interface AnswerListProps {
  readonly answers: Operation['answers'];
  readonly schemas: Description['components']['schemas'];
}

/** What an operation answers with, by status; errors with their codes. */
export function AnswerList({ answers, schemas }: AnswerListProps) {
  return (
    <dl className={classes['answers']}>
      {answers.map(({ status, answer: { description, content = {} } }) => {
        const codes = errorCodesIn(description);
        return [
          <dt key={`status ${status}`}>{status === 'default' ? t('reference.otherErrors') : status}</dt>,
          <dd key={`answer ${status}`}>
            {codes.length === 0 ? (
              <Documentation className="line" text={description} />
            ) : (
              <ErrorCodes codes={codes} />
            )}
            {Object.entries(content).map(([type, { schema = {} }]) =>
              listMembers(schema, schemas).length === 0 ? (
                <p key={type} className="meta line">
                  {type}
                </p>
              ) : (
                <SchemaDetails
                  key={type}
                  label={`${typeText(schema)} (${type})`}
                  schema={schema}
                  schemas={schemas}
                />
              ),
            )}
          </dd>,
        ];
      })}
    </dl>
  );
}

function ErrorCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <ul className="plain-list">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code> <span className="quiet">{errorText(code)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The text of an error with the names of its parts. */
function errorText(code: string): string {
  const text = findText(`errors.${code}`, { skipInterpolation: true }) ?? '';
  return text.replaceAll(/\{\{(\w+)\}\}/g, '{$1}');
}
