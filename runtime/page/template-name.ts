/** The fields of a page that are templates, the content first. */
export const templateFields = ['html', 'head', 'meta_title', 'description'] as const;

export type TemplateField = (typeof templateFields)[number];

/** The name of a page's template in errors and warnings: `/visit` for the content, else `/visit (head)`. */
export function pageTemplateName(path: string, field: TemplateField): string {
  return field === 'html' ? path : `${path} (${field})`;
}

/** Whether a template of that name belongs to a page. Names of snippets begin with a letter or digit. */
export function isPageTemplate(name: string): boolean {
  return name.startsWith('/');
}
