import { forgetFile } from '../../lib/kept-file';
import { STORAGE_KEY } from './auth-client';

/** Signs this browser out for a page that is being left and waits for nothing: the library is not asked, nor the server told. */
export function dropSession(): void {
  forgetFile();
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is closed to this page, so that nothing is in it.
  }
}
