import { chosenFile } from '../../lib/chosen-file';
import { shownAccount } from '../../lib/shown-account';
import { storedText } from '../../lib/storage';
import { storedSession } from './auth-client';

/** Whether this tab has just deleted its account, for the next page load. */
export const accountDeleted = storedText('sessionStorage', 'account-deleted');

/** Signs this browser out while the page unloads: there is no time for the library or the server. */
export function dropSession(): void {
  accountDeleted.set('1');
  chosenFile.remove();
  storedSession.remove();
  shownAccount.remove();
}
