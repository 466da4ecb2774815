import type { ReactNode } from 'react';
import { Redirect, useLocation } from 'wouter';
import { PageLoading } from '../../ui/spinner';
import { useSession } from './context';

/** Lets signed-in people with a plan through; sends the others to sign in or to choose one. */
export function Guard({ children }: { children: ReactNode }) {
  const { isLoading, isAuthenticated, tier } = useSession();
  const [path] = useLocation();
  if (isLoading) return <PageLoading />;
  if (!isAuthenticated) return <Redirect to="/login" replace />;
  if (tier === null && path !== '/choose-plan') return <Redirect to="/choose-plan" replace />;
  return children;
}
