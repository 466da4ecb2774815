import { ChevronDown, LogOut, UserRound } from 'lucide-react';
import { useLocation } from 'wouter';
import type { CurrentUser } from '../features/session/current-user';
import { initial } from '../lib/names';
import { ownPicture } from '../lib/picture';
import { Avatar } from '../ui/avatar';
import { Menu } from '../ui/menu';
import { useLogout } from './use-logout';

/** The signed-in user's menu: 'View Profile' and 'Logout'. */
export default function ProfileMenu({ user }: { user: CurrentUser }) {
  const [, navigate] = useLocation();
  const logout = useLogout();
  return (
    <Menu
      name="Account"
      label={
        <>
          <Avatar picture={ownPicture(user.avatarUrl)} initial={initial(user.username)} seed={user.id} size="small" />
          <span className="sr-only sm:not-sr-only">Profile</span>
          <ChevronDown className="hidden size-4 sm:block" aria-hidden="true" />
        </>
      }
      items={[
        { icon: <UserRound className="size-4" aria-hidden="true" />, text: 'View Profile', onSelect: () => navigate(`/profile/${user.id}`) },
        { icon: <LogOut className="size-4" aria-hidden="true" />, text: 'Logout', onSelect: () => void logout() },
      ]}
    />
  );
}
