import { forgetFile } from '../../lib/kept-file';
import { storedSession } from './auth-client';

/** Signs this browser out for a page that is being left and waits for nothing: the library is not asked, nor the server told. */
export function dropSession(): void {
  forgetFile();
  storedSession.remove();
}
