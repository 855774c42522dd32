import { type IconName, iconOutline } from './icons.ts';

export interface IconProps {
  readonly name: IconName;
  /** In pixels: 16 or 20. */
  readonly size?: 16 | 20;
}

/** A Phosphor icon, for decoration: a button with an icon alone has a label of its own. */
export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      viewBox="0 0 256 256"
      width={size}
      height={size}
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d={iconOutline(name)} />
    </svg>
  );
}
