import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';

export const languages = {
  html: () => html({ autoCloseTags: true }),
  css: () => css(),
  js: () => javascript(),
} as const;

export type CodeLanguage = keyof typeof languages;
