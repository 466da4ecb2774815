import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ThemeToggle } from './theme-toggle';

afterEach(() => delete document.documentElement.dataset.theme);

test('the theme follows a choice in another tab', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  render(<ThemeToggle />);
  expect(screen.getByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument();
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'dark' })));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(screen.getByRole('button', { name: 'Switch to light theme' })).toBeInTheDocument();
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: null, newValue: null })));
  expect(screen.getByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument();
});
