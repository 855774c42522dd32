import { useDocumentTitle } from './document-title.ts';

/** The title of a screen that people see elsewhere, for screen readers and the tab of the browser. */
export function HiddenTitle({ children }: { readonly children: string }) {
  useDocumentTitle(children);
  return <h1 className="visually-hidden">{children}</h1>;
}
