import { LegalDocument } from './document';
import text from './terms-of-service.md';

export default function TermsPage() {
  return <LegalDocument title="Terms of Service" text={text} />;
}
