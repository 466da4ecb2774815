import { useLocation } from 'wouter';
import { useSession } from '../features/session/context';

/** Signs out, then shows the login screen. A failure stays on the page, with its message. */
export function useLogout(): () => Promise<void> {
  const { logout } = useSession();
  const [, navigate] = useLocation();
  return async () => {
    if (await logout()) navigate('/login');
  };
}
