import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import type { CodeLanguage } from '../../content/code-object.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import type { CodeStore } from './code-store.ts';

/** Indents the code in the editor; undo takes it back. */
export function formatCommand(language: CodeLanguage, store: CodeStore): Command {
  return {
    id: 'code.format',
    label: 'code.format',
    icon: 'list',
    localKeys: 'Shift+Alt+F',
    run: async () => {
      const { formatted } = await import('../../editors/code/format.ts');
      const before = store.get('content');
      const after = formatted(before, language);
      if (after === undefined) {
        showToast({ tone: 'failed', message: t('code.tooLongToFormat') });
        return undefined;
      }
      if (after === before) return { message: t('code.isFormatted') };
      store.set('content', after);
      return { message: t('code.formatted'), undo: async () => store.set('content', before) };
    },
  };
}
