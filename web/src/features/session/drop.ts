import { forgetFile } from '../../lib/kept-file';
import { storedText } from '../../lib/storage';
import { storedSession } from './auth-client';

/** Whether this tab has just deleted its account, for the page that it is loaded with again. */
export const accountDeleted = storedText('sessionStorage', 'account-deleted');

/** Signs this browser out for a page that is being left and waits for nothing: the library is not asked, nor the server told. */
export function dropSession(): void {
  accountDeleted.set('1');
  forgetFile();
  storedSession.remove();
}
