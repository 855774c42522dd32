import { useState } from 'react';
import type { ApiCall } from '../../../api/api-call.ts';
import { instanceName } from '../../../api/instance.ts';
import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CallText } from '../../../kit/api-calls/call-text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { AnswerList } from './answer-list.tsx';
import {
  type Content,
  createExample,
  type Description,
  formatCallAddress,
  type Operation,
} from './description.ts';
import { Documentation } from './documentation.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import classes from './reference.module.css';
import { SchemaView } from './schema-view.tsx';
import { TryCall } from './try-call.tsx';

export interface OperationViewProps {
  readonly operation: Operation;
  readonly description: Description;
}

/** What an operation takes and answers, as a call with the values that are filled in. */
export function OperationView({ operation, description }: OperationViewProps) {
  const { schemas } = description.components;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { method, path, tag, parameters, body } = operation;
  const isReading = method === 'GET';
  const address = formatCallAddress(operation, values);
  return (
    <div className="screen">
      <PageHeader
        title={operation.summary}
        scope={
          <>
            <Link href={paths.apiReference()}>{t('nav.api')}</Link> · {tag}
          </>
        }
      />
      <div className={classes['body']}>
        <p className={classes['address']}>
          <span className={classes['method']}>{method}</span> <code>/api/v1{path}</code>
        </p>
        <Documentation className="line" text={operation.description} />
        {instanceName() !== '' && <Strip>{t('apiCall.remote')}</Strip>}
        {parameters.length > 0 && (
          <section className={classes['part']}>
            <h2>{t('reference.parameters')}</h2>
            <ParameterFields parameters={parameters} values={values} onChange={setValues} />
          </section>
        )}
        <section className={classes['part']}>
          <h2>{t('reference.example')}</h2>
          {!isReading && <p className="quiet line">{t('reference.copyOnly')}</p>}
          <CallText call={callOf(operation, address, schemas)} />
        </section>
        {isReading && <TryCall operation={operation} values={values} address={address} />}
        {body !== undefined && (
          <section className={classes['part']}>
            <h2>{t('reference.body')}</h2>
            <Bodies content={body} description={description} />
          </section>
        )}
        <section className={classes['part']}>
          <h2>{t('reference.answers')}</h2>
          <AnswerList answers={operation.answers} schemas={schemas} />
        </section>
      </div>
    </div>
  );
}

function Bodies({ content, description }: { readonly content: Content; readonly description: Description }) {
  return Object.entries(content).map(([type, { schema }]) => (
    <div key={type} className={classes['part']}>
      <p className="meta line">{type}</p>
      {schema !== undefined && <SchemaView schema={schema} schemas={description.components.schemas} />}
    </div>
  ));
}

/** The operation with an example of its body. */
function callOf(
  { method, body }: Operation,
  path: string,
  schemas: Description['components']['schemas'],
): ApiCall {
  const [first] = Object.entries(body ?? {});
  if (first === undefined) return { method, path, body: undefined };
  const [type, { schema = {} }] = first;
  if (type === 'application/json') return { method, path, body: createExample(schema, schemas) };
  return { method, path, body: undefined, fileType: type };
}
