/** The pages that make and ask for a proof for one reader: a separate document, so that it contains nothing of a session. */
import { AskPage } from './features/prove/ask-page';
import { ProvePage } from './features/prove/prove-page';
import { openDocument } from './shell/bare-frame';
import './styles.css';

/** Below whatever path the pages are hosted. */
const isAsk = /\/ask(\/(index\.html)?)?$/.test(location.pathname);

openDocument('/prove', isAsk ? <AskPage address={location} /> : <ProvePage />);
