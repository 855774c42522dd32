/** Property tests draw the same cases in every run, so that a run can be repeated. `SEED=n` in the environment draws others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121) });
