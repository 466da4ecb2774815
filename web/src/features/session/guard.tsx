import { useEffect, type ReactNode } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Redirect, useLocation, useSearch } from 'wouter';
import { PageLoading } from '../../ui/spinner';
import { useSession } from './context';
import { forgetWanted, keepWanted, wantedPath } from './wanted';

/** Prefetches a page's data for this user. */
export type Ask = (queries: QueryClient, userId: string) => void;

interface GuardProps {
  /** Called while the profile is still loading, to save a round trip. */
  ask?: Ask;
  children: ReactNode;
}

/** Shows a page to signed-in users with a plan; leads others to sign in or to choose one. */
export function Guard({ ask, children }: GuardProps) {
  const { currentUser, userId, isLoading, isAuthenticated, tier } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const address = search ? `${path}?${search}` : path;
  const queries = useQueryClient();
  useEffect(() => {
    if (userId !== null) ask?.(queries, userId);
  }, [ask, queries, userId]);
  const toLogin = !isLoading && !isAuthenticated;
  const toPlans = isAuthenticated && tier === null && path !== '/choose-plan';
  const arrived = isAuthenticated && !toPlans;
  // The default page after a sign-in was not asked for.
  const asked = ![`/profile/${currentUser?.id}`, '/login'].includes(path);
  useEffect(() => {
    if ((toLogin || toPlans) && asked) keepWanted(address);
    if (arrived && address === wantedPath()) forgetWanted();
  }, [toLogin, toPlans, arrived, asked, address]);
  if (isLoading) return <PageLoading />;
  if (toLogin) return <Redirect to="/login" replace />;
  if (toPlans) return <Redirect to="/choose-plan" replace />;
  return children;
}
