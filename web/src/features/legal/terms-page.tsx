import { TextLink } from '../../ui/text-link';
import { LegalDocument, Section } from './document';

export default function TermsPage() {
  return (
    <LegalDocument title="Terms of Service">
      <Section title="The service">
        <p>
          Proof of Reserves verifies that the holder of an account could sign for certain bitcoins at a certain time, and
          ranks verified holders on a public leaderboard. By using it you accept these terms.
        </p>
      </Section>
      <Section title="Who may use it">
        <p>
          You must be at least 16 years old, or at least 13 in the United States, and sign in with an account that is
          yours.
        </p>
      </Section>
      <Section title="Your proofs">
        <ul>
          <li>Upload only files that spend coins which you control, signed by you or with the right to do so.</li>
          <li>A coin counts for one person at a time. A file that claims a coin of another user is refused.</li>
          <li>A proof on the free plan expires after 90 days. A coin that is spent stops counting at once.</li>
          <li>Never upload private keys or seed phrases. We never ask for them.</li>
        </ul>
      </Section>
      <Section title="What a rank means">
        <p>
          A rank says that signatures over unspent coins were valid when they were checked. It is not an audit, says
          nothing about debts, and is not financial advice.
        </p>
      </Section>
      <Section title="Fair use">
        <p>
          Do not attack the service, get round its limits, collect its data in ways that harm others, or use it to
          mislead people. We may suspend accounts that do.
        </p>
      </Section>
      <Section title="Plans and payment">
        <p>
          Basic is free. Premium, at $5 per month, is coming soon; it will renew monthly until you cancel it, and
          deleting your account will cancel it as well. Payments are handled by our payment provider.
        </p>
      </Section>
      <Section title="Your data">
        <p>
          The <TextLink to="/privacy-policy">privacy policy</TextLink> says what we keep and for how long. You can delete
          your account on your profile at any time; this cannot be undone.
        </p>
      </Section>
      <Section title="No warranty">
        <p>
          The service is provided as it is. As far as the law allows, we are not liable for indirect damage, for lost
          profits, or for decisions made because of the leaderboard. Nothing here limits rights that the law gives you.
        </p>
      </Section>
      <Section title="Changes">
        <p>
          We may change these terms. The date above says when they last changed; if a change is important we tell
          signed-in users before it takes effect.
        </p>
      </Section>
      <Section title="Contact">
        <p>[Company name], [Postal address], [contact email address]</p>
      </Section>
    </LegalDocument>
  );
}
