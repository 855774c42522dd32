import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MenuProps,
} from '@mantine/core';

/** The colours with a meaning; `theme.css` has their values for both schemes. */
const roles = ['teal', 'brick', 'ochre', 'leaf', 'slate', 'plum'] as const;

/** Mantine asks for ten shades of a colour; ours has a tint, itself and a stronger one. */
function shades(role: string): MantineColorsTuple {
  const [tint, plain, strong] = [`var(--${role}-tint)`, `var(--${role})`, `var(--${role}-strong)`];
  return [tint, tint, tint, plain, plain, plain, plain, strong, strong, strong];
}

/** The list of options scrolls itself: around it, a scroller would be one that keys cannot reach. */
const scrolledOptions = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

export const theme = createTheme({
  fontFamily: '"Source Sans 3 Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontFamily: 'var(--serif)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '26px', lineHeight: '32px' },
      h2: { fontSize: '20px', lineHeight: '26px' },
      h3: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '4px', md: '8px', lg: '14px', xl: '14px' },
  primaryColor: 'teal',
  primaryShade: 6,
  colors: Object.fromEntries(roles.map((role) => [role, shades(role)])),
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver(input) {
    const resolved = defaultVariantColorsResolver(input);
    const { variant, color } = input;
    if (variant === 'filled') return { ...resolved, color: 'var(--on-color)', hoverColor: 'var(--on-color)' };
    // Under the pointer their ground is darker than the tint: the plain colour could not be read on it.
    const isTinted = variant === 'subtle' || variant === 'light';
    const role = isTinted ? roles.find((name) => name === (color ?? 'teal')) : undefined;
    return role === undefined ? resolved : { ...resolved, hoverColor: `var(--${role}-strong)` };
  },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      styles: { root: { height: 'var(--control)', paddingInline: 12, fontWeight: 600 } },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', color: 'gray', size: 'var(--control)' },
    }),
    Portal: { defaultProps: { target: '#overlays' } },
    // As plain objects, so that the theme does not load what floats, inputs and dialogs.
    Tooltip: {
      styles: { tooltip: { '--tooltip-bg': 'var(--ink)', '--tooltip-color': 'var(--paper)' } },
    },
    Menu: {
      // The placeholder takes the focus without being an item, which a menu must not hold.
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 140 },
        withInitialFocusPlaceholder: false,
      } satisfies Partial<MenuProps>,
      styles: { dropdown: { '--menu-item-hover': 'var(--sunken)' } },
    },
    // With a variant, the text of a chosen chip has the colour that suits its ground in both themes.
    Chip: { defaultProps: { variant: 'filled' } },
    Autocomplete: scrolledOptions,
    MultiSelect: scrolledOptions,
    Select: scrolledOptions,
    // Help stands below what it is about. Required inputs have no asterisk; those of entries ask for it.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    Textarea: { defaultProps: { autosize: true, minRows: 2 } },
    Input: { vars: () => ({ wrapper: { '--input-height': 'var(--control)' } }) },
    Modal: {
      defaultProps: { radius: 'lg', centered: true, transitionProps: { duration: 140, transition: 'fade' } },
      styles: {
        // Mantine leaves it where its container stands, which is beside the band.
        inner: { insetInlineStart: 0 },
        header: { padding: '16px 24px 8px' },
        body: { padding: '8px 24px 24px' },
        title: {
          minWidth: 0,
          overflowWrap: 'anywhere',
          fontFamily: 'var(--serif)',
          fontSize: 20,
          fontWeight: 600,
          lineHeight: '26px',
        },
      },
    },
  },
});

const ofRoles = Object.fromEntries(
  roles.flatMap((role) => {
    const name = `--mantine-color-${role}`;
    return [
      [`${name}-filled`, `var(--${role})`],
      [`${name}-filled-hover`, `var(--${role}-strong)`],
      [`${name}-light`, `var(--${role}-tint)`],
      [`${name}-light-hover`, `color-mix(in srgb, var(--${role}) 20%, var(--${role}-tint))`],
      [`${name}-light-color`, `var(--${role})`],
      [`${name}-outline`, `var(--${role})`],
      [`${name}-outline-hover`, `var(--${role}-tint)`],
      [`${name}-text`, `var(--${role})`],
    ];
  }),
);

/** Mantine's own names for what theme.css decides. The values follow the scheme by themselves. */
const shared = {
  ...ofRoles,
  // The greys that Mantine's components use for borders and grounds.
  '--mantine-color-gray-0': 'var(--paper)',
  '--mantine-color-gray-1': 'var(--sunken)',
  '--mantine-color-gray-2': 'var(--line)',
  '--mantine-color-gray-3': 'var(--line)',
  '--mantine-color-gray-4': 'var(--control-line)',
  '--mantine-color-dark-4': 'var(--control-line)',
  '--mantine-color-dark-5': 'var(--line)',
  '--mantine-color-dark-6': 'var(--surface)',
  '--mantine-color-dark-7': 'var(--paper)',
  '--mantine-color-dark-8': 'var(--sunken)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--teal)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--control-line)',
  '--mantine-color-error': 'var(--brick)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-gray-light-hover': 'var(--sunken)',
  '--mantine-color-gray-light-color': 'var(--ink)',
  '--mantine-color-gray-text': 'var(--ink)',
  '--mantine-shadow-md': 'var(--float-shadow)',
  '--mantine-shadow-xl': 'var(--float-shadow)',
  '--mantine-primary-color-filled': 'var(--teal)',
  '--mantine-primary-color-filled-hover': 'var(--teal-strong)',
  '--mantine-primary-color-contrast': 'var(--on-color)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: shared, light: shared, dark: shared });
