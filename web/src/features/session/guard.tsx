import { useEffect, type ReactNode } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Redirect, useLocation, useSearch } from 'wouter';
import { PageLoading } from '../../ui/spinner';
import { useSession } from './context';
import { forgetWanted, keepWanted, wantedPath } from './wanted';

/** Asks what a page will ask, for this person. */
export type Ask = (queries: QueryClient, userId: string) => void;

interface GuardProps {
  /** Called while the profile is still being read, so that the page need not wait once more. */
  ask?: Ask;
  children: ReactNode;
}

/** Lets signed-in people with a plan through; sends the others to sign in or to choose one. */
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
  // Where everybody is led after signing in has not been asked for.
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
