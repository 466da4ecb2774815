/** The page that checks proofs: a separate document, so that it contains nothing of a session (decisions, D16). */
import { VerifyPage } from './features/verify/verify-page';
import { openDocument } from './shell/bare-frame';
import './styles.css';

openDocument('/verify', <VerifyPage address={location} />);
