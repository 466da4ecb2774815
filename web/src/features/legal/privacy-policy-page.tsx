import { LegalDocument } from './document';
import text from './privacy-policy.md';

export default function PrivacyPage() {
  return <LegalDocument title="Privacy Policy" text={text} />;
}
