import type { UnsavedPage } from '../../preview/use-preview.ts';

/** How a tree is shown: a page with it, unsaved. */
export interface PreviewPlan {
  readonly pageId: number;
  /** Path of the page, which its addresses count from. */
  readonly path: string;
  /** Origin of the tree in the markers of the page. */
  readonly origin: string;
  /** Labels of regions whose words are edited too; the same object as long as they are the same. */
  readonly regions?: Readonly<Record<string, string>>;
  readonly body: UnsavedPage;
  /** Changes when something else that the page shows has changed. */
  readonly version: number;
}

/** A template that prints a tree alone, for trees that no page prints. */
export const bareTemplate = '{% blocks page.blocks %}';
