import { lazy, type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from './features/session/context';
import { Guard } from './features/session/guard';
import { PageLoading } from './ui/spinner';

const LeaderboardPage = lazy(() => import('./features/leaderboard/leaderboard-page'));
const HowItWorksPage = lazy(() => import('./features/guide/how-it-works-page'));
const LoginPage = lazy(() => import('./features/session/login-page'));
const CallbackPage = lazy(() => import('./features/session/callback-page'));
const ProfilePage = lazy(() => import('./features/profile/profile-page'));
const UploadPage = lazy(() => import('./features/upload/upload-page'));
const ChoosePlanPage = lazy(() => import('./features/plans/choose-plan-page'));
const PrivacyPage = lazy(() => import('./features/legal/privacy-page'));
const TermsPage = lazy(() => import('./features/legal/terms-page'));

/** The URL map. */
export function Routes() {
  return (
    <Switch>
      {/* for everybody */}
      <Route path="/">{to('/leaderboard')}</Route>
      <Route path="/leaderboard" component={LeaderboardPage} />
      <Route path="/how-it-works" component={HowItWorksPage} />
      <Route path="/login" component={LoginPage} />
      <Route path="/auth/callback" component={CallbackPage} />
      <Route path="/privacy-policy" component={PrivacyPage} />
      <Route path="/terms-of-service" component={TermsPage} />
      <Route path="/privacy">{to('/privacy-policy')}</Route>
      <Route path="/terms">{to('/terms-of-service')}</Route>

      {/* for signed-in people */}
      <Route path="/profile" component={OwnProfile} />
      <Route path="/profile/:id">{({ id }) => guarded(<ProfilePage key={id} id={id} />)}</Route>
      <Route path="/upload">{guarded(<UploadPage />)}</Route>
      <Route path="/choose-plan">{guarded(<ChoosePlanPage />)}</Route>

      <Route>{to('/')}</Route>
    </Switch>
  );
}

const to = (path: string): ReactNode => <Redirect to={path} replace />;
const guarded = (page: ReactNode): ReactNode => <Guard>{page}</Guard>;

/** /profile leads to one's own profile, or to the login screen. */
function OwnProfile() {
  const { currentUser, isLoading } = useSession();
  if (isLoading) return <PageLoading />;
  return to(currentUser ? `/profile/${currentUser.id}` : '/login');
}
