import { storedText } from './storage';

/**
 * What the headers of the documents without session code show: 'in' for a signed-in user, 'free' if Upgrade is offered too. Neither a name nor
 * a token (decisions, D18).
 */
export const shownAccount = storedText('localStorage', 'account');

/** Whether such a document was left by Logout. Only this tab can say so, and no link. */
export const logoutWanted = storedText('sessionStorage', 'logout');
