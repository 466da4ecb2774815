import { Moon, Sun } from 'lucide-react';
import { setTheme, useTheme } from '../lib/theme';
import { Button } from '../ui/button';

/** Switches between light and dark. */
export function ThemeToggle() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      look="ghost"
      size="icon"
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => setTheme(other)}
    >
      {/* By the style sheet, which knows the theme before the app is there. */}
      <Moon className="size-5 dark:hidden" aria-hidden="true" />
      <Sun className="hidden size-5 dark:block" aria-hidden="true" />
    </Button>
  );
}
