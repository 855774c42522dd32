import { WaitingRequests } from './waiting-requests.ts';

/**
 * The moment between an ended session and a new login: requests wait here, and the frame shows the login over
 * the page. After the login the waiting requests are sent again, so that nothing is lost.
 */
export const sessionRenewal = new WaitingRequests<void>();
