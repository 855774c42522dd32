import { UnstyledButton } from '@mantine/core';
import { chooseLanguage, type Language, languages, t, useLanguage } from '../../base/i18n/index.ts';
import classes from './language-choice.module.css';

/** Names of languages are written in the language itself. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

export function LanguageChoice() {
  const chosen = useLanguage();
  return (
    <fieldset className={classes['choice']}>
      <legend className="visually-hidden">{t('frame.language')}</legend>
      {languages.map((language) => (
        <UnstyledButton
          key={language}
          lang={language}
          aria-pressed={chosen === language}
          onClick={() => void chooseLanguage(language)}
        >
          {names[language]}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
