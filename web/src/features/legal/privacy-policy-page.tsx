import { TextLink } from '../../ui/text-link';
import { LegalDocument, Section, useOperator } from './document';

export default function PrivacyPage() {
  const operator = useOperator();
  return (
    <LegalDocument title="Privacy Policy" updated={operator.updated}>
      <Section title="What this policy covers">
        <p>
          Proof of Reserves lets you prove Bitcoin holdings and appear on a public leaderboard. This policy explains what we
          learn about you, why we need it, what others can see, and how long we keep it. It covers this website and its
          service, not the sites it links to.
        </p>
      </Section>
      <Section title="What we collect">
        <ul>
          <li>
            <strong>Your account.</strong> When you sign in with X we receive your account id, user name, display name,
            picture and, if X provides it, your email address. We never see your password and never post for you.
          </li>
          <li>
            <strong>Your proofs.</strong> We keep which coins (transaction outputs) a proof claims, their amounts, a
            keyed hash of the transaction, the file's name and the dates. Only you see the file's name.
          </li>
          <li>
            <strong>Billing.</strong> If you subscribe, our payment provider handles your card. We keep a record of the
            subscription and its payments, never the card itself.
          </li>
          <li>
            <strong>Usage data.</strong> Server logs with the time, the requested address and your IP address, and error
            reports from the pages. They contain nothing from your files; your browser removes long identifiers before it sends
            an error report.
          </li>
        </ul>
      </Section>
      <Section title="What happens to your file">
        <p>
          Your file is read in your browser, and you see what it contains. Before anything is sent, extended public keys,
          derivation paths, proprietary and unknown fields and previous transactions are removed. Nothing is sent until
          you press the button. The remaining part is checked by the server in memory: it is never broadcast, never logged
          and never stored. A proof carries your name on this site: anyone who sees the file can link you to its coins. Such a file has no private keys and no seed phrase, and we never ask for them.
        </p>
      </Section>
      <Section title="Proofs for one person">
        <p>
          The pages “Prove to one person” and “Ask for a proof” send us nothing: no words, no names, no files and no cookie. The words in a link come
          after its # sign, which browsers do not send. Your browser keeps what you began until you start over. When you press the button, it
          asks the block explorer that you chose about a block or your coins and, if you want dollars, mempool.space for a price. They see
          your IP address, and the explorer sees which coins you look up. The reader of your proof learns your addresses and can watch them.
        </p>
      </Section>
      <Section title="What we use it for">
        <p>
          We use your account to sign you in and to name you on the leaderboard; your proofs to verify, add up and rank
          what you hold, to keep a coin from counting twice, and to notice when a coin is spent; billing data to provide
          Premium; and usage data to keep the service running and safe. The legal grounds are the contract that you make
          with us by using the service, our duties under tax law, and our legitimate interest in a service that works and
          is not abused. We make no decisions about you by automatic means beyond these checks and this ranking.
        </p>
      </Section>
      <Section title="What others can see">
        <p>
          The leaderboard shows your name, picture, verified total and rank to everyone; signed-in users also see on your
          profile when your total was last verified. You may show a range instead of the exact amount: then only you see the
          amount, its changes within the range, and when it was verified. Addresses and
          transaction outputs are never public, unless you publish a proof, which shows its coins. What the leaderboard shows at each block is
          also recorded, as a fingerprint, in a public log that nobody can change. What was public before, in that log or in copies,
          stays public. An unusual total can help others find your coins on the public block chain, and a name next to a large
          total can attract thieves.
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
          We keep your session, partly in a cookie that only our server reads, and your choices of theme and keyboard
          shortcuts in your browser, because the site does not work as you expect without them. We use no advertising and
          no tracking, neither our own nor by third parties, and your browser loads everything from our own servers,
          pictures included.
        </p>
      </Section>
      <Section title="Who else receives data">
        <p>
          X, to sign you in; our payment provider, if you subscribe; and our hosting provider, who runs the servers. To
          check that coins are unspent we ask block chain services about transaction outputs, without naming you. We
          never sell personal data. We hand data to authorities only when the law obliges us to. Where one of these works
          in another country, the law's safeguards for such transfers apply.
        </p>
      </Section>
      <Section title="How we protect it">
        <p>
          Connections are encrypted, access keys are short-lived, and what we store is the least that the service needs.
          Nothing is perfectly safe. If a breach affects your data, we tell you and the authorities as the law requires.
        </p>
      </Section>
      <Section title="Your rights">
        <p>
          You can see your data on your profile, download a copy of all of it there, and delete your account at any time. You
          may also ask us for a copy, for a correction, for a restriction or object to its use, at the address below, and you may complain
          to the data protection authority of the place where you live.
        </p>
      </Section>
      <Section title="Children">
        <p>
          You must be at least 16 years old to use Proof of Reserves, or at least 13 in the United States. We do not
          knowingly keep data of anyone younger. If you know of any, tell us and we will delete it.
        </p>
      </Section>
      <Section title="Changes to this policy">
        <p>
          The date above is that of the last change. We announce important changes on this page before they take effect. The <TextLink to="/terms-of-service">terms of service</TextLink> apply too.
        </p>
      </Section>
      <Section title="Contact">
        <p>
          {operator.company}, {operator.address}, {operator.privacyEmail}
        </p>
      </Section>
    </LegalDocument>
  );
}
