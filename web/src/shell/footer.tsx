import { Link } from 'wouter';
import { firstPage } from '../api/first-page';
import { useBrowserValue } from '../lib/browser-value';
import { useWords } from '../ui/places';

const LINKS = [
  { to: '/leaderboard', label: 'Leaderboard' },
  { to: '/how-it-works', label: 'How It Works' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
];

const thisYear = () => new Date().getFullYear();

export function Footer() {
  const now = useBrowserValue(thisYear, () => firstPage()?.year ?? thisYear());
  const { year } = useWords(() => ({ year: now }));
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-col items-center justify-between gap-4 px-4 py-8 text-sm text-muted sm:flex-row sm:px-6">
        <nav aria-label="Footer" className="flex flex-wrap justify-center gap-x-6 gap-y-2">
          {LINKS.map(({ to, label }) => (
            <Link key={to} href={to} className="rounded py-1 hover:text-ink hover:underline">
              {label}
            </Link>
          ))}
        </nav>
        <p>© {year} Proof of Reserves</p>
      </div>
    </footer>
  );
}
