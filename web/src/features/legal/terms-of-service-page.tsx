import { TextLink } from '../../ui/text-link';
import { LegalDocument, Section, useOperator } from './document';

export default function TermsPage() {
  const operator = useOperator();
  return (
    <LegalDocument title="Terms of Service" updated={operator.updated}>
      <Section title="The service">
        <p>
          Proof of Reserves verifies that the holder of an account could sign for certain bitcoins at a certain time, and
          ranks verified holders on a public leaderboard. These terms are a contract between you and us. By using the
          service you accept them; if you do not agree, do not use it.
        </p>
      </Section>
      <Section title="Who may use it">
        <p>
          You must be at least 16 years old, or at least 13 in the United States, and sign in with an account that is
          yours. You are responsible for what is done with your account, and for keeping the account at X that opens it
          safe.
        </p>
      </Section>
      <Section title="Your proofs">
        <ul>
          <li>Upload only files that spend coins which you control, signed by you or with permission.</li>
          <li>A coin counts for one person at a time. A file that claims a coin of another user is refused.</li>
          <li>A transaction proves something once. To renew a proof, sign a new one.</li>
          <li>A proof on the free plan expires after 90 days. A coin that is spent stops counting at once.</li>
          <li>Never upload private keys or seed phrases. We never ask for them.</li>
        </ul>
        <p>
          We never broadcast what you upload. A file with your statement moves nothing, and no node accepts it; but
          anyone who sees it can link you to its coins. If this site also accepts files without a statement, such a file may be
          an ordinary transaction that anyone who has it can broadcast: keep it safe.
        </p>
      </Section>
      <Section title="What a rank means">
        <p>
          A rank means that signatures over unspent coins were valid when they were checked. No check can prove that a
          holder is the only one with the keys, will still have the coins tomorrow, or has no debts. A rank is not an
          audit, and nothing here is financial, legal or tax advice.
        </p>
      </Section>
      <Section title="What is public">
        <p>
          Your name, picture, rank and verified total are public for as long as a proof of yours counts. Think about
          your own safety before you make a holding public.
        </p>
      </Section>
      <Section title="Fair use">
        <p>
          Do not attack the service, bypass its limits, collect its data in ways that harm others, or use it to
          mislead people. Do not use it where the law forbids you to. We may remove proofs and suspend accounts that break
          these terms; where we can, we say why, and you may ask us to look again.
        </p>
      </Section>
      <Section title="Plans and payment">
        <p>
          Basic is free. Premium, where it is offered, costs $5 per month; it renews monthly until you cancel it, and deleting your account
          cancels it as well. Payments are handled by our payment provider. A change of price is
          announced before it takes effect, and your legal rights to withdraw or to a refund stay
          unaffected.
        </p>
      </Section>
      <Section title="Your data">
        <p>
          The <TextLink to="/privacy-policy">privacy policy</TextLink> lists what we keep and for how long. You can delete
          your account on your profile at any time; this cannot be undone.
        </p>
      </Section>
      <Section title="Names and content">
        <p>
          The name and picture on your profile come from X and stay yours; you allow us to show them as part of the
          leaderboard and of the cards that are shared from it. The service's own name, design and texts are ours.
        </p>
      </Section>
      <Section title="No warranty">
        <p>
          The service is provided as it is and as it is available. As far as the law allows, we are not liable for
          indirect damage, for lost profits or coins, or for decisions made because of the leaderboard. Nothing here limits
          our liability for intent and gross negligence, or rights that the law gives you.
        </p>
      </Section>
      <Section title="Ending">
        <p>
          You may stop at any time by deleting your account. We may end the service, and will announce
          that on this site first.
        </p>
      </Section>
      <Section title="Changes and law">
        <p>
          We may change these terms. The date above is that of the last change; we announce important changes on this page before
          they take effect. The law of {operator.country} applies, together with the consumer protection of the
          place where you live. If a part of these terms is void, the rest still applies.
        </p>
      </Section>
      <Section title="Contact">
        <p>
          {operator.company}, {operator.address}, {operator.contactEmail}
        </p>
      </Section>
    </LegalDocument>
  );
}
