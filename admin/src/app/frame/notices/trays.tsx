import { useElementSize } from '@mantine/hooks';
import { jobSignal, useSignal } from '../../../content/jobs/signal.ts';
import { UploadTray } from '../../../editors/files/upload-tray.tsx';
import { useCornerHeight } from '../../../ui/messages/corner.ts';
import { JobsTray } from '../../jobs/jobs-tray.tsx';
import classes from './trays.module.css';

/** Room between the trays and the messages above them, in pixels. */
const gap = 8;

/** What goes on in the background, above the edge of the window. */
export function Trays() {
  const hasJobs = useSignal(jobSignal);
  const { ref, height } = useElementSize();
  useCornerHeight('trays', height === 0 ? 0 : height + gap);
  return (
    <div ref={ref} className={classes['trays']}>
      {hasJobs && <JobsTray />}
      <UploadTray />
    </div>
  );
}
