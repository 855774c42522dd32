import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { confirmFirst } from '../../../kit/form/confirm-first.tsx';
import classes from '../../../ui/layout/section.module.css';

const queryKey = ['own-sessions'];

/** Where one is signed in, with a way to end it. */
export function SessionList() {
  const { data: sessions = [] } = useQuery({
    queryKey,
    queryFn: () => requireData(api.GET('/auth/sessions')),
  });
  const end = async (id: string): Promise<void> => {
    await requireData(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }));
    await queryClient.invalidateQueries({ queryKey });
  };
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
      {sessions.length > 1 && (
        <div>
          <Button
            variant="default"
            onClick={() =>
              confirmFirst({
                title: t('profile.endOthers'),
                loss: t('profile.endOthersLoss'),
                submit: t('profile.endOthers'),
                run: async () => {
                  await requireData(api.DELETE('/auth/sessions'));
                  await queryClient.invalidateQueries({ queryKey });
                },
              })
            }
          >
            {t('profile.endOthers')}
          </Button>
        </div>
      )}
    </section>
  );
}
