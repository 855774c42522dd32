import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import type { LanguageSupport } from '@codemirror/language';
import type { CodeLanguage } from '../../content/code/code-object.ts';

export const languages: Readonly<Record<CodeLanguage, () => LanguageSupport>> = {
  html: () => html({ autoCloseTags: true }),
  css: () => css(),
  js: () => javascript(),
};
