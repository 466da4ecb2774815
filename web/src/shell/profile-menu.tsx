import { ChevronDown, LogOut, UserRound } from 'lucide-react';
import { useLocation } from 'wouter';
import type { CurrentUser } from '../features/session/context';
import { initial } from '../lib/names';
import { ownPicture } from '../lib/picture';
import { Avatar } from '../ui/avatar';
import { buttonClass } from '../ui/button';
import { Menu, MenuItem } from '../ui/menu';
import { useLogout } from './use-logout';

/** The signed-in person's menu: 'View Profile' and 'Logout'. */
export default function ProfileMenu({ user }: { user: CurrentUser }) {
  const [, navigate] = useLocation();
  const logout = useLogout();
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass('ghost', 'small')}>
          <Avatar picture={ownPicture(user.avatarUrl)} initial={initial(user.username)} size="small" />
          <span className="sr-only sm:not-sr-only">Profile</span>
          <ChevronDown className="hidden size-4 sm:block" aria-hidden="true" />
        </button>
      }
    >
      <MenuItem icon={<UserRound className="size-4" aria-hidden="true" />} onSelect={() => navigate(`/profile/${user.id}`)}>
        View Profile
      </MenuItem>
      <MenuItem icon={<LogOut className="size-4" aria-hidden="true" />} onSelect={() => void logout()}>
        Logout
      </MenuItem>
    </Menu>
  );
}
