import { t } from '../../base/i18n/index.ts';
import classes from './imports.module.css';

const steps = ['address', 'choose', 'run', 'result'] as const;
export type Step = (typeof steps)[number];

/** Where somebody is on the way from an address to imported pages. */
export function Steps({ current }: { readonly current: Step }) {
  return (
    <ol className={classes['steps']} aria-label={t('imports.steps.label')}>
      {steps.map((step) => (
        <li
          key={step}
          data-done={steps.indexOf(step) < steps.indexOf(current) || undefined}
          aria-current={step === current ? 'step' : undefined}
        >
          {t(`imports.steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}
