import { LegalDocument, Section } from './document';

export default function PrivacyPage() {
  return (
    <LegalDocument title="Privacy Policy">
      <Section title="What this policy covers">
        <p>
          Proof of Reserves lets you prove Bitcoin holdings and appear on a public leaderboard. This policy says what we
          learn about you when you use it, what others can see, and how long we keep it.
        </p>
      </Section>
      <Section title="What we collect">
        <ul>
          <li>
            <strong>Your account.</strong> When you sign in with X we receive your account id, user name, display name,
            picture and, if X provides it, your email address.
          </li>
          <li>
            <strong>Your proofs.</strong> We keep which coins (transaction outputs) a proof claims, their amounts, a
            keyed hash of the transaction, the file's name and the dates. The file's name is shown to you alone.
          </li>
          <li>
            <strong>Billing.</strong> If you subscribe, our payment provider handles your card. We keep a record of the
            subscription and its payments, never the card itself.
          </li>
          <li>
            <strong>Usage data.</strong> Server logs and error reports, without the contents of your files.
          </li>
        </ul>
      </Section>
      <Section title="What happens to your file">
        <p>
          Your file is read in your browser. Before anything is sent, extended public keys, derivation paths, proprietary
          and unknown fields and previous transactions are removed. The remaining part is checked by the server in memory.
          It is never broadcast, never logged and never stored.
        </p>
      </Section>
      <Section title="What others can see">
        <p>
          The leaderboard shows your name, picture, verified total, rank and when it was last verified. Addresses and
          transaction outputs are never public. Bear in mind that an unusual total can help others to find your coins on
          the public block chain.
        </p>
      </Section>
      <Section title="How long we keep it">
        <ul>
          <li>When you delete your account, your personal data is deleted within 30 days.</li>
          <li>Billing records are kept for 7 years, as the law requires.</li>
          <li>Usage data that can identify you is kept for 12 months.</li>
          <li>
            The keyed hash of a transaction that has been used as a proof is kept without any link to you, so that it
            cannot be used again.
          </li>
        </ul>
      </Section>
      <Section title="Storage in your browser">
        <p>
          We keep your session and your choice of theme in your browser, because the site does not work as you expect
          without them. We use no advertising and no tracking by third parties.
        </p>
      </Section>
      <Section title="Who else receives data">
        <p>
          X, to sign you in; our payment provider, if you subscribe; and our hosting provider, who runs the servers. To
          check that coins are unspent we ask block chain services about transaction outputs, without saying who asks. We
          never sell personal data.
        </p>
      </Section>
      <Section title="Your rights">
        <p>
          You can see your data on your profile and delete your account there at any time. You may also ask us for a copy
          of your data, for a correction, or object to its use, at the address below.
        </p>
      </Section>
      <Section title="Children">
        <p>You must be at least 16 years old to use Proof of Reserves, or at least 13 in the United States.</p>
      </Section>
      <Section title="Contact">
        <p>[Company name], [Postal address], [privacy email address]</p>
      </Section>
    </LegalDocument>
  );
}
