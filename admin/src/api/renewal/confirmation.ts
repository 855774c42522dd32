import { WaitingRequests } from './waiting-requests.ts';

/**
 * Sensitive requests need a confirmation that is not old. The refused ones wait here while the frame asks for password,
 * code or passkey; then they are sent again. The outcome is false if the user does not want to confirm.
 */
export const confirmation = new WaitingRequests<boolean>();
