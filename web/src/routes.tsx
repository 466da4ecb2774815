import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useSession } from './features/session/context';
import { Guard, type Ask } from './features/session/guard';
import { askForUpload } from './features/upload/ask';
import { unknownState } from './lib/unknown-address';
import { PageLoading } from './ui/spinner';

/** The loaders of the pages, by the first part of their paths. */
const loaders = new Map<string, () => Promise<unknown>>();

/** A lazy page. Once loaded it renders at once, without a fallback. */
function page<P extends object>(segment: string, load: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | null = null;
  const keep = async () => {
    const found = await load();
    loaded = found.default;
    return found;
  };
  const Waiting = lazy(keep);
  loaders.set(segment, keep);
  return function LazyPage(props: P) {
    // Fixed at the first render: another component would lose the state.
    const [here] = useState(() => loaded);
    if (here) return createElement(here, props);
    return <Suspense fallback={<PageLoading />}>{createElement(Waiting, props)}</Suspense>;
  };
}

const LeaderboardPage = page('leaderboard', () => import('./features/leaderboard/leaderboard-page'));
const HowItWorksPage = page('how-it-works', () => import('./features/guide/how-it-works-page'));
const LoginPage = page('login', () => import('./features/session/login-page'));
const CallbackPage = page('auth', () => import('./features/session/callback-page'));
const ProfilePage = page('profile', () => import('./features/profile/profile-page'));
const UploadPage = page('upload', () => import('./features/upload/upload-page'));
const InspectPage = page('inspect', () => import('./features/upload/inspect-page'));
const ChoosePlanPage = page('choose-plan', () => import('./features/plans/choose-plan-page'));
const PrivacyPage = page('privacy-policy', () => import('./features/legal/privacy-policy-page'));
const TermsPage = page('terms-of-service', () => import('./features/legal/terms-of-service-page'));

/** Loads the page of an address before the first render. */
export async function preload(path: string): Promise<void> {
  await loaders.get(path.split('/')[1] ?? '')?.();
}

/** The URL map. */
export function Routes() {
  return (
    <Switch>
      {/* public */}
      <Route path="/">{to('/leaderboard')}</Route>
      <Route path="/leaderboard" component={LeaderboardPage} />
      <Route path="/how-it-works">
        <HowItWorksPage />
      </Route>
      <Route path="/how-it-works/auditors">
        <HowItWorksPage topic="auditors" />
      </Route>
      <Route path="/inspect" component={InspectPage} />
      <Route path="/login" component={LoginPage} />
      <Route path="/auth/callback" component={CallbackPage} />
      <Route path="/privacy-policy" component={PrivacyPage} />
      <Route path="/terms-of-service" component={TermsPage} />
      <Route path="/privacy">{to('/privacy-policy')}</Route>
      <Route path="/terms">{to('/terms-of-service')}</Route>

      {/* protected */}
      <Route path="/profile" component={OwnProfile} />
      <Route path="/profile/:id">{({ id }) => guarded(<ProfilePage key={id} id={id} />)}</Route>
      <Route path="/upload">{guarded(<UploadPage />, askForUpload)}</Route>
      <Route path="/choose-plan">{guarded(<ChoosePlanPage />)}</Route>

      <Route component={Unknown} />
    </Switch>
  );
}

const to = (path: string): ReactNode => <Redirect to={path} replace />;
const guarded = (screen: ReactNode, ask?: Ask): ReactNode => <Guard {...(ask ? { ask } : {})}>{screen}</Guard>;

/** By way of `/`, which is the leaderboard. */
function Unknown() {
  const [path] = useLocation();
  return <Redirect to="/leaderboard" replace state={unknownState(path)} />;
}

/** /profile leads to the user's own profile, or to the login screen. */
function OwnProfile() {
  const { userId, isLoading } = useSession();
  if (userId) return to(`/profile/${userId}`);
  return isLoading ? <PageLoading /> : to('/login');
}
