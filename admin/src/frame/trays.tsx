import { JobsTray } from '../jobs/jobs-tray.tsx';
import { UploadTray } from '../media/upload-tray.tsx';
import { jobSignal, useSignal } from '../ui/signal.ts';
import classes from './trays.module.css';

/** What goes on in the background, above the edge of the window. */
export function Trays() {
  const hasJobs = useSignal(jobSignal);
  return (
    <div className={classes['trays']}>
      {hasJobs && <JobsTray />}
      <UploadTray />
    </div>
  );
}
