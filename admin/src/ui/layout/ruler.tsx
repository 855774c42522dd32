import classes from './ruler.module.css';

/** The signature of the house, under titles and in empty states. */
export function Ruler({ width }: { readonly width?: number | undefined }) {
  return (
    <div
      className={classes['ruler']}
      style={width === undefined ? undefined : { width }}
      aria-hidden="true"
    />
  );
}
