import type { IForbiddenRuleType, IRegularForbiddenRuleType } from 'dependency-cruiser';

const belowScreens = ['editors', 'editing', 'kit', 'content', 'commands', 'ui', 'api', 'base'];

/** The floors of `admin/src`: what each may import. A path names one part of a floor. Rules are made of this table. */
export const floors: Readonly<Record<string, readonly string[]>> = {
  'main.tsx': ['app', 'editing/drafts.ts', 'commands', 'ui', 'api', 'base'],
  app: ['screens', ...belowScreens.filter((floor) => floor !== 'editing')],
  screens: belowScreens,
  editors: belowScreens.slice(1),
  editing: belowScreens.slice(2),
  kit: belowScreens.slice(3),
  content: ['api', 'base'],
  commands: ['ui', 'api', 'base'],
  ui: ['base'],
  api: ['base'],
  base: [],
};

/** Which editors each editor may use. */
const editors: Readonly<Record<string, readonly string[]>> = {
  code: [],
  files: [],
  preview: [],
  richtext: ['code', 'files'],
  fields: ['code', 'files', 'richtext'],
  versions: ['code'],
  blocks: ['code', 'files', 'fields', 'richtext', 'preview'],
};

function anyOf(paths: readonly string[]): string {
  return `(${paths.map((path) => path.replaceAll('.', '[.]')).join('|')})(/|$)`;
}

function forbid(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IForbiddenRuleType {
  return { name, comment, severity: 'error', from, to };
}

/** Rules of dependency-cruiser for the admin. */
export const adminRules: readonly IForbiddenRuleType[] = [
  forbid(
    'admin-talks-http-only',
    'The admin knows the server by its API alone; types of the API are generated from its description.',
    { path: '^admin/src/' },
    { path: '^(grammar|compiler|runtime|server|bench|test|admin/build)/' },
  ),
  forbid(
    'admin-without-circles',
    'Files import each other in one direction.',
    { path: '^admin/src/' },
    { circular: true },
  ),
  forbid(
    'admin-has-floors',
    'Every file of admin/src lies on a floor of the table.',
    { path: '^admin/src/', pathNot: `^admin/src/${anyOf(Object.keys(floors))}` },
    {},
  ),
  ...Object.entries(floors).map(([floor, below]) =>
    forbid(
      `admin-floor-${floor}`,
      `admin/src/${floor} imports only itself and ${below.join(', ') || 'nothing else'}.`,
      { path: `^admin/src/${anyOf([floor])}` },
      { path: '^admin/src/', pathNot: `^admin/src/${anyOf([floor, ...below])}` },
    ),
  ),
  forbid(
    'admin-screens-apart',
    'What two screens share lies on a floor below.',
    { path: '^admin/src/screens/([^/]+)/' },
    { path: '^admin/src/screens/', pathNot: '^admin/src/screens/$1/' },
  ),
  forbid(
    'admin-screens-come-lazily',
    'The code of a screen is loaded when it is shown.',
    { path: '^admin/src/app/' },
    { path: '^admin/src/screens/', dynamic: false },
  ),
  forbid(
    'admin-has-editors',
    'Every folder of editors/ has a row in the table of editors.',
    { path: '^admin/src/editors/', pathNot: `^admin/src/editors/${anyOf(Object.keys(editors))}` },
    {},
  ),
  ...Object.entries(editors).map(([editor, others]) =>
    forbid(
      `admin-editor-${editor}`,
      `editors/${editor} uses ${others.join(', ') || 'no other editor'}.`,
      { path: `^admin/src/editors/${editor}/` },
      { path: '^admin/src/editors/', pathNot: `^admin/src/editors/${anyOf([editor, ...others])}` },
    ),
  ),
];
