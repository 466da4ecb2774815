import { Suspense, use } from 'react';
import { act, render, screen } from '@testing-library/react';
import { Link, Route, Router, useLocation } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { expect, test } from 'vitest';
import { useNavigations } from './arrival';
import { Page } from './page';

function Later({ code }: { code: Promise<void> }) {
  use(code);
  return <Page title="Later" />;
}

function Frame({ code }: { code: Promise<void> }) {
  const [path] = useLocation();
  useNavigations(path);
  return (
    <>
      <Link href="/later">To later</Link>
      <button>Menu</button>
      <Suspense fallback={null}>
        <Route path="/">
          <Page title="First" />
        </Route>
        <Route path="/later">
          <Later code={code} />
        </Route>
      </Suspense>
    </>
  );
}

async function navigate(meanwhile: () => void) {
  let arrive!: () => void;
  const code = new Promise<void>((resolve) => (arrive = resolve));
  const { hook } = memoryLocation({ path: '/' });
  render(
    <Router hook={hook}>
      <Frame code={code} />
    </Router>,
  );
  expect(screen.getByRole('heading')).not.toBe(document.activeElement);
  const link = screen.getByRole('link', { name: 'To later' });
  act(() => link.focus());
  await act(async () => link.click());
  act(meanwhile);
  await act(async () => arrive());
  return screen.findByRole('heading', { name: 'Later' });
}

test('the heading of a screen takes the focus after a navigation, also when its code comes late', async () => {
  expect(await navigate(() => {})).toBe(document.activeElement);
});

test('a screen that arrives late leaves the focus where the person has taken it', async () => {
  await navigate(() => screen.getByRole('button', { name: 'Menu' }).focus());
  expect(screen.getByRole('button', { name: 'Menu' })).toBe(document.activeElement);
});
