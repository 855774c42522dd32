import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { confirmFirst } from '../../../kit/form/confirm-first.tsx';
import classes from '../../../ui/layout/section.module.css';

/** Where somebody is signed in, with a way to end it. @param userId default: oneself */
export function SessionList({ userId }: { readonly userId?: number }) {
  const query = userId === undefined ? {} : { user_id: userId };
  const queryKey = ['sessions', query];
  const { data: sessions = [] } = useQuery({
    queryKey,
    queryFn: () => requireData(api.GET('/auth/sessions', { params: { query } })),
  });
  const endOne = (id: string) => requireData(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }));
  const end = async (id: string): Promise<void> => {
    await endOne(id);
    await queryClient.invalidateQueries({ queryKey });
  };
  // Only one's own end together.
  const endAll =
    userId === undefined ? () => requireData(api.DELETE('/auth/sessions')) : () => endEach(sessions, endOne);
  const all = userId === undefined ? 'endOthers' : 'endAll';
  return (
    <section>
      <h2>{t('profile.sessions')}</h2>
      <ul className={classes['rows']}>
        {sessions.map((session) => (
          <li key={session.id} className={classes['row']}>
            <span>
              <b>
                {session.address === '' ? t('profile.unknownAddress') : session.address}{' '}
                {session.current && <span className="quiet">{t('profile.thisSession')}</span>}
              </b>
              <span className="meta">
                {t('profile.lastUsed', { time: timeText(session.last_used_at) })} {session.agent}
              </span>
            </span>
            {!session.current && (
              <Button
                variant="subtle"
                color="brick"
                size="compact-sm"
                aria-label={t('profile.endOf', { address: session.address })}
                onClick={() => void end(session.id)}
              >
                {t('profile.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {userId !== undefined && sessions.length === 0 && <p className="quiet">{t('users.noSession')}</p>}
      {sessions.length > 1 && (
        <div>
          <Button
            variant="default"
            onClick={() =>
              confirmFirst({
                title: t(`profile.${all}`),
                loss: t(`profile.${all}Loss`),
                submit: t(`profile.${all}`),
                run: async () => {
                  await endAll();
                  await queryClient.invalidateQueries({ queryKey });
                },
              })
            }
          >
            {t(`profile.${all}`)}
          </Button>
        </div>
      )}
    </section>
  );
}

async function endEach(
  sessions: readonly { readonly id: string }[],
  end: (id: string) => Promise<unknown>,
): Promise<void> {
  for (const { id } of sessions) await end(id);
}
