interface Parent {
  readonly path: string;
}

/** The slug of a new page, with the address that it makes below another page. */
export function slugBelow({ path }: Parent) {
  return {
    name: 'slug',
    label: 'fields.slug',
    help: ({ slug }: { readonly slug: string }) => `${path === '/' ? '' : path}/${slug}`,
  } as const;
}
