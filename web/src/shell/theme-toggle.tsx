import { Moon, Sun } from 'lucide-react';
import { setTheme, useTheme } from '../lib/theme';
import { Button } from '../ui/button';

/** Switches between light and dark. */
export function ThemeToggle() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <Button
      look="ghost"
      size="icon"
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => setTheme(other)}
    >
      <Icon className="size-5" aria-hidden="true" />
    </Button>
  );
}
