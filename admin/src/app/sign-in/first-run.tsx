import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { queryClient } from '../../api/query-client.ts';
import { setUp } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { createWebsite } from '../../content/new-site.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { FirstAccount, noAccount } from './first-account.tsx';
import classes from './first-run.module.css';
import { OutsideFrame } from './outside-frame.tsx';
import { beginningsQuery, PresentContent } from './present-content.tsx';
import { type Start, StartChoice, type WholeWebsite, wholeWebsites } from './start-choice.tsx';

/** Creates the first administrator and the first website, in one step. */
export function FirstRun({ needsAccount }: { readonly needsAccount: boolean }) {
  const [account, setAccount] = useState(noAccount);
  const [chosen, setChosen] = useState<Start>('demo');
  const [title, setTitle] = useState('');
  const [hasAccount, setHasAccount] = useState(!needsAccount);
  // Nobody may know what is there before there is an account.
  const { data: beginnings, isPending } = useQuery({ ...beginningsQuery, enabled: hasAccount });
  const present = beginnings?.content ?? [];
  const hasWholeWebsites = !hasAccount || (beginnings !== undefined && present.length === 0);
  const start = !hasWholeWebsites && wholeWebsites.some((name) => name === chosen) ? 'empty' : chosen;
  const sending = useSubmit(async () => {
    if (!hasAccount) {
      const { setupToken, ...credentials } = account;
      await setUp({ ...credentials, ...(setupToken === '' ? {} : { setup_token: setupToken }) });
      setHasAccount(true);
    }
    const address = (await findWebsite()) ?? (await startWith(start, title));
    await leaveFor(address);
  });
  useDocumentTitle(t('firstRun.title'));
  const { error, faults } = sending;
  const isRefused = error instanceof ApiFailure && error.code === 'demo.notEmpty';
  const isTokenRefused = error instanceof ApiFailure && error.code === 'auth.setupToken';
  const needsToken = isTokenRefused || account.setupToken !== '';
  if (hasAccount && isPending && !sending.isSending) return null;
  return (
    <OutsideFrame isWide>
      <form onSubmit={sending.send}>
        <Title order={1}>{t('firstRun.title')}</Title>
        <Text className={classes['lead']}>{t('firstRun.lead')}</Text>
        {/* The part below says it, and leads to the content. */}
        <FormError message={isRefused && present.length > 0 ? undefined : sending.message} />
        {!hasAccount && (
          <FirstAccount account={account} faults={faults} needsToken={needsToken} onChange={setAccount} />
        )}
        {present.length > 0 && <PresentContent kinds={present} onOpen={leaveFor} />}
        <section className={classes['part']}>
          <StartChoice value={start} hasWholeWebsites={hasWholeWebsites} onChange={setChosen} />
          {start === 'empty' && (
            <TextInput
              label={t('firstRun.siteTitle')}
              required
              value={title}
              error={faults['title']}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
          )}
        </section>
        <Button type="submit" loading={sending.isSending}>
          {t(`firstRun.${start}.create`)}
        </Button>
        {hasAccount && (
          <p className="quiet">
            {t('firstRun.elsewhere')}{' '}
            <Anchor component="button" type="button" onClick={() => leaveFor(paths.system('bundles'))}>
              {t('firstRun.bundle')}
            </Anchor>
          </p>
        )}
      </form>
    </OutsideFrame>
  );
}

/**
 * Creates the first website. Resolves with the address of its home page in the editor; a website to be taken over is
 * made by the import, whose address comes back instead.
 */
async function startWith(start: Start, title: string): Promise<string> {
  if (start === 'import') return paths.imports('new');
  const id = start === 'empty' ? (await createWebsite({ title })).id : await installWebsite(start);
  return paths.page(id, id);
}

/** Resolves with the ID of the home page. After a refusal it is known what is there. */
async function installWebsite(name: WholeWebsite): Promise<number> {
  try {
    const answer =
      name === 'demo' ? api.POST('/demo') : api.POST('/starters/{name}', { params: { path: { name } } });
    return (await requireData(answer)).root_id;
  } catch (error) {
    await queryClient.invalidateQueries({ queryKey: beginningsQuery.queryKey });
    throw error;
  }
}

/** First the address: as soon as the session is known, the frame shows what it says. */
async function leaveFor(address: string): Promise<void> {
  goTo(address, { replace: true });
  await queryClient.invalidateQueries();
}

/** Where to begin if there are websites already, of which nobody could know before there was an account. */
async function findWebsite(): Promise<string | undefined> {
  const sites = await requireData(api.GET('/pages', { params: { query: { roots: true } } }));
  if (sites.length === 0) return undefined;
  showToast({ tone: 'done', message: t('firstRun.hasWebsite') });
  return paths.start();
}
